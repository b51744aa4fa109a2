/** What goes wrong, as an answer: `{ "error": { "name", "message", … } }` with the status that fits. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { errorJson } from '../common/error-json.ts'
import {
  InvalidOptionError,
  JobCancelledError,
  JobFailedError,
  JsonTooLargeError,
  MessageTooLargeError,
  NoSuchJobError,
  NotAdmittedError,
  NotCloneableError,
  P2pWorkerError,
  TaskLoadError
} from '../common/errors.ts'

/** What may soon succeed, in s. */
export const AGAIN: Readonly<Record<string, string>> = { 'Retry-After': '5' }

/** A request that is not answered as it wished. */
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

/** What to answer when that was thrown; `undefined`: a bug, of which nobody outside is told more than that there is one. */
export function answerTo(error: unknown): Answer | undefined {
  if (!(error instanceof P2pWorkerError)) return undefined
  const status = statusOf(error)
  const headers = error instanceof HttpProblem ? error.headers : {}
  return { status, headers: { ...(status === 503 && AGAIN), ...headers }, body: { error: errorJson(error) } }
}

/** Errors that the client can fix have a 4xx status; all others have 503, since a later request may succeed. */
function statusOf(error: P2pWorkerError): ContentfulStatusCode {
  if (error instanceof HttpProblem) return error.status
  if (error instanceof InvalidOptionError || error instanceof NotCloneableError) return 400
  if (error instanceof NotAdmittedError) return 403
  if (error instanceof NoSuchJobError) return error.end === undefined ? 404 : 410
  if (error instanceof JobFailedError || error instanceof JobCancelledError) return 409
  if (error instanceof MessageTooLargeError || error instanceof JsonTooLargeError) return 413
  if (error instanceof TaskLoadError) return 422
  return 503
}
