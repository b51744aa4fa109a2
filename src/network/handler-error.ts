import { P2pWorkerError } from '../common/errors.ts'

/** What the handler of a protocol or topic threw, though nothing that comes from outside explains it: a bug of this peer. */
export class HandlerError extends P2pWorkerError {
  override name = 'HandlerError'

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** What a handler threw: itself where that is expected (an invalid message, a closed channel, an abort), else as a {@link HandlerError}. */
export function ofHandler(error: unknown): unknown {
  const isAbort = error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
  return isAbort || error instanceof P2pWorkerError ? error : new HandlerError(error)
}
