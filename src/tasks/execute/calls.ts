/** How the main thread has the user's code run, wherever that is: in a worker thread or in a process of its own. */
import type { MainMessage, ThreadMessage } from './messages.ts'
import type { Activity, Stop } from './shared-state.ts'

export interface CallOptions {
  handler: 'runBatch' | 'runDriver' | 'runInspection' | 'runNothing' | 'runResult' | 'runWhole'
  /** The handler's data but for what the call itself adds. */
  data: CallInput
  /** How many chunks the call has, each of which can be told to stop. Default none. */
  chunks?: number
  transfer?: ArrayBuffer[]
  signal?: AbortSignal | undefined
  onMessage?: (message: ThreadMessage) => void
}

/** What a handler gets; `file` is the bundle, where there is one. */
export type CallInput = { file?: string } & Record<string, unknown>

/** How a call ended. */
export type CallEnd =
  | { type: 'done'; result: unknown }
  /** `result`: what the call came back with, if it did. */
  | { type: 'cancelled'; reason: unknown; result?: unknown }
  /** What it ran in ended under the call. */
  | { type: 'died'; ran: RanIn; why: string; activity: Activity | undefined }

/** Where a call ran. */
export type RanIn = 'thread' | 'process'

/** A call that is under way. */
export interface TaskCall {
  readonly ended: Promise<CallEnd>
  /** What it is doing, also while it gives way to nothing; undefined while none of the user's functions runs. */
  readonly activity: Activity | undefined
  /** Whether the chunk at a position is told to stop; {@link TaskCall.stop} tells it. */
  stopOf(position: number): Stop | undefined
  stop(position: number, stop: Stop): void
  post(message: MainMessage, transfer?: ArrayBuffer[]): void
  /** Ends what it runs in. */
  kill(): void
}

/** Threads or processes for the user's code. */
export interface CallPool {
  /** Calls that have one. */
  readonly busy: number
  call(options: CallOptions): TaskCall
  /** Ends them all; calls that run end as cancelled. */
  stop(): Promise<void>
}

/** A thread or process that does not come back so long (ms) after its call was cancelled is ended. */
export const CANCEL_GRACE = 500
