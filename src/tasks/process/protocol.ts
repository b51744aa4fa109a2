/** The messages between a peer and a process of tasks, in frames ({@link encodeFrame}). */
import type { CallOptions } from '../execute/calls.ts'
import type { MainMessage, ThreadMessage, WorkerSettings } from '../execute/messages.ts'

/**
 * The file descriptors of the process. The process reads orders from its standard input, because Node 26.12 and later require `--allow-net` to
 * open a stream on any other descriptor.
 */
export const READ_FROM = 0
export const WRITE_TO = 3
export const SHARED_MEMORY = 4

/** A message to the process. */
export type Order =
  | { type: 'settings'; settings: WorkerSettings }
  | { type: 'call'; id: number; handler: CallOptions['handler']; chunks: number; data: object }
  | { type: 'message'; id: number; message: MainMessage }

/** A message from the process. */
export type Report =
  | { type: 'ready' }
  | { type: 'message'; id: number; message: ThreadMessage }
  /** The call has ended. */
  | { type: 'returned'; id: number }
