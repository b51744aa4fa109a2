/** The interface through which the main thread runs user code. The pools of threads and of processes implement it. */
import type { MainMessage, ThreadMessage } from './messages.ts'
import type { Activity, Stop } from './shared-state.ts'

export interface CallOptions {
  handler: 'runBatch' | 'runDriver' | 'runInspection' | 'runNothing' | 'runResult' | 'runWhole'
  /** The data for the handler. The pool adds the port and the state. */
  data: CallInput
  /** The number of chunks that can be stopped one by one. Default 0. */
  chunks?: number
  transfer?: ArrayBuffer[]
  signal?: AbortSignal | undefined
  onMessage?: (message: ThreadMessage) => void
}

/** The data for a handler; `file` is the bundle, if the handler needs one. */
export type CallInput = { file?: string } & Record<string, unknown>

/** How a call ended. */
export type CallEnd =
  | { type: 'done'; result: unknown }
  /** The call was cancelled; `result` is the return value of the call if the call nevertheless returned. */
  | { type: 'cancelled'; reason: unknown; result?: unknown }
  /** The thread or process died during the call. */
  | { type: 'died'; ran: RanIn; why: string; activity: Activity | undefined }

/** The kind of worker that ran a call. */
export type RanIn = 'thread' | 'process'

/** A running call. */
export interface TaskCall {
  readonly ended: Promise<CallEnd>
  /** The running user function; undefined: no user function runs. This field is current even while user code blocks the event loop. */
  readonly activity: Activity | undefined
  /** Why the chunk at a position must stop, as {@link TaskCall.stop} has set it. */
  stopOf(position: number): Stop | undefined
  stop(position: number, stop: Stop): void
  post(message: MainMessage, transfer?: ArrayBuffer[]): void
  /** Terminates the thread or process. */
  kill(): void
}

/** Threads or processes for the user's code. */
export interface CallPool {
  /** The number of calls that have a thread or process. */
  readonly busy: number
  call(options: CallOptions): TaskCall
  /** Ends all threads or processes; running calls end as cancelled. */
  stop(): Promise<void>
}

/** If a thread or process does not return within this time (ms) after the cancellation of its call, it is terminated. */
export const CANCEL_GRACE = 500
