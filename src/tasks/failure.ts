import { P2pWorkerError, type TaskFunction } from '../errors.ts'

/** A failure of the user's code, as plain data: it crosses threads and the wire. */
export interface TaskFailure {
  function: TaskFunction
  /** The chunk, where there is one. */
  index?: number | undefined
  /** The error's name, e.g. `RangeError`. */
  name: string
  message: string
  /** Frames of the user's code, one a line, with the marked paths that `describeFailure` resolves; may be empty. */
  stack: string
}

/** The name of a failure whose thread ended under it. */
export const THREAD_ENDED = 'ThreadEndedError'

/** The name of a failure of a chunk that ran alone, and whose process ended under it. */
export const PROCESS_ENDED = 'ProcessEndedError'

/** The failure of a chunk that took its process with it; `how` that ended. */
export function processEnded(index: number, how: string): TaskFailure {
  const message = `its process was ended ${how}`
  return { function: 'run', index, name: PROCESS_ENDED, message, stack: '' }
}

/** The name of a failure of a chunk that ran longer than it may. */
export const CHUNK_TIMEOUT = 'ChunkTimeoutError'

/** The failure of a chunk that ran for longer than `limit` ms. */
export function chunkTimedOut(index: number, limit: number): TaskFailure {
  const message = `it ran for longer than ${limit} ms, which is the job's chunkTimeout: raise it, or split into smaller chunks`
  return { function: 'run', index, name: CHUNK_TIMEOUT, message, stack: '' }
}

/** A function of the task failed. */
export class TaskFailureError extends P2pWorkerError {
  override name = 'TaskFailureError'
  readonly failure: TaskFailure

  constructor(failure: TaskFailure, options?: ErrorOptions) {
    super(`${failure.function}: ${failure.message}`, options)
    this.failure = failure
  }
}
