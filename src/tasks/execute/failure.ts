import { P2pWorkerError, type TaskFunction } from '../../common/errors.ts'
import type { RanIn } from './calls.ts'

/** A failure of the user's code, as plain data that can be sent between threads and between peers. */
export interface TaskFailure {
  function: TaskFunction
  /** The index of the chunk; undefined if the function does not run for a chunk. */
  index?: number | undefined
  /** The error's name, e.g. `RangeError`. */
  name: string
  message: string
  /**
   * The first line of the error, the stack frames of the user's code, and the causes of the error; may be empty. Files have the
   * scheme `p2p-task:`, and `describeFailure` replaces it by the path.
   */
  stack: string
}

/** The name of the failure of a function whose thread dies. */
export const THREAD_ENDED = 'ThreadEndedError'

/** The name of the failure of a function whose process dies: the function of a quarantined chunk, or any function under `isolation: 'process'`. */
export const PROCESS_ENDED = 'ProcessEndedError'

/** Describes why a thread or process died when its heap was full. */
export function outOfMemory(maxHeapMb: number | undefined): string {
  const room = maxHeapMb === undefined ? '' : ` (its heap may have ${maxHeapMb} MiB: maxHeapMb, --max-heap-mb)`
  return `it ran out of memory${room}`
}

/** The failure of a function whose thread or process has died. */
export function endedUnder(fn: TaskFunction, { ran, why }: { ran: RanIn; why: string }, index?: number): TaskFailure {
  if (ran === 'thread')
    return { function: fn, index, name: THREAD_ENDED, message: `the thread ended: ${why}`, stack: '' }
  return { function: fn, index, name: PROCESS_ENDED, message: `its process was ended ${why}`, stack: '' }
}

/** The failure of a chunk whose process ended; `how` names the cause. */
export function processEnded(index: number, how: string): TaskFailure {
  return endedUnder('run', { ran: 'process', why: how }, index)
}

/** The name of the failure of a chunk that exceeds `chunkTimeout`. */
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
