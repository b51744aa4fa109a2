/** What a peer and a process of isolated tasks say to each other, in frames ({@link encodeFrame}). */
import type { CallOptions } from '../execute/calls.ts'
import type { MainMessage, ThreadMessage, WorkerSettings } from '../execute/messages.ts'

/**
 * The descriptors of the process. It reads from its standard input, which is a stream without a right to the network; any other that it would have to
 * open itself, and Node 26.12 and later refuses that without `--allow-net`.
 */
export const READ_FROM = 0
export const WRITE_TO = 3
export const SHARED_MEMORY = 4

/** To the process. */
export type Order =
  | { type: 'settings'; settings: WorkerSettings }
  | { type: 'call'; id: number; handler: CallOptions['handler']; chunks: number; data: object }
  | { type: 'message'; id: number; message: MainMessage }

/** From the process. */
export type Report =
  | { type: 'ready' }
  | { type: 'message'; id: number; message: ThreadMessage }
  /** The call is over. */
  | { type: 'returned'; id: number }
