/** Converts errors into answers: `{ "error": { "name", "message", … } }` with a fitting status. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { errorJson } from '../common/error-json.ts'
import {
  IdTakenError,
  InvalidOptionError,
  JobCancelledError,
  JobFailedError,
  JobSuspendedError,
  JsonTooLargeError,
  LockLostError,
  LockTimeoutError,
  MessageTooLargeError,
  NoRoomError,
  NoSuchJobError,
  NoSuchScheduleError,
  NotAdmittedError,
  NotCloneableError,
  NotDurableError,
  P2pWorkerError,
  ScheduleExistsError,
  TaskLoadError
} from '../common/errors.ts'

/** The header of an answer to a request that may soon succeed. The value is in seconds. */
export const AGAIN: Readonly<Record<string, string>> = { 'Retry-After': '5' }

/** The error of a request that this peer refuses or cannot answer. */
export class HttpProblem extends P2pWorkerError {
  readonly status: ContentfulStatusCode
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: ContentfulStatusCode,
    name: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions
  ) {
    super(message, options)
    this.name = name
    this.status = status
    this.headers = headers
  }
}

export interface Answer {
  status: ContentfulStatusCode
  headers: Readonly<Record<string, string>>
  body: { error: object }
}

/** Returns the answer to an error. Returns `undefined` for a bug, whose details must not reach the client. */
export function answerTo(error: unknown): Answer | undefined {
  if (!(error instanceof P2pWorkerError)) return undefined
  const status = statusOf(error)
  const headers = error instanceof HttpProblem ? error.headers : {}
  return { status, headers: { ...(status === 503 && AGAIN), ...headers }, body: { error: errorJson(error) } }
}

/** Returns a 4xx status for an error that the client can fix, 507 for a leader without room or disks, and 503 for all other errors, because a later request may
 * succeed. */
function statusOf(error: P2pWorkerError): ContentfulStatusCode {
  if (error instanceof HttpProblem) return error.status
  if (error instanceof IdTakenError || error instanceof ScheduleExistsError || error instanceof LockTimeoutError)
    return 409
  if (error instanceof InvalidOptionError || error instanceof NotCloneableError) return 400
  if (error instanceof NotAdmittedError) return 403
  if (error instanceof NoSuchScheduleError) return 404
  if (error instanceof NoSuchJobError) return error.end === undefined ? 404 : 410
  if (error instanceof JobFailedError || error instanceof JobCancelledError || error instanceof JobSuspendedError)
    return 409
  if (error instanceof LockLostError) return 410
  if (error instanceof MessageTooLargeError || error instanceof JsonTooLargeError) return 413
  if (error instanceof TaskLoadError) return 422
  if (error instanceof NoRoomError || error instanceof NotDurableError) return 507
  return 503
}
