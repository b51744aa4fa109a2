/** The messages between a peer and a process of tasks, in frames ({@link encodeFrame}). */
import type { CallOptions } from '../execute/calls.ts'
import type { MainMessage, ThreadMessage, WorkerSettings } from '../execute/messages.ts'

/**
 * The descriptors of the process. It reads from its standard input: to open a stream on another descriptor, Node 26.12 and later demands
 * `--allow-net`.
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
  /** The call has ended. */
  | { type: 'returned'; id: number }
