import { P2pWorkerError } from '../common/errors.ts'

/** An unexpected error from the handler of a protocol or topic. Input from other peers cannot cause it, so the error is a bug of this peer. */
export class HandlerError extends P2pWorkerError {
  override name = 'HandlerError'

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** Returns an expected error (an invalid message, a closed channel, an abort) unchanged, and wraps every other error in a {@link HandlerError}. */
export function ofHandler(error: unknown): unknown {
  const isAbort = error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
  return isAbort || error instanceof P2pWorkerError ? error : new HandlerError(error)
}
