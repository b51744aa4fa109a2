/** Converts errors into answers: `{ "error": { "name", "message", … } }` with a fitting status. */
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

/** The header for requests that may soon succeed; the value is in seconds. */
export const AGAIN: Readonly<Record<string, string>> = { 'Retry-After': '5' }

/** The error of a request that cannot be answered as requested. */
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

/** The answer to an error; `undefined`: a bug, whose details the client does not get. */
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
