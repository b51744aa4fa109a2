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

/** A function of the task failed. */
export class TaskFailureError extends P2pWorkerError {
  override name = 'TaskFailureError'
  readonly failure: TaskFailure

  constructor(failure: TaskFailure, options?: ErrorOptions) {
    super(`${failure.function}: ${failure.message}`, options)
    this.failure = failure
  }
}
