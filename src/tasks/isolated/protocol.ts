/** What a peer and a process of isolated tasks say to each other, in frames ({@link encodeFrame}). */
import type { CallOptions } from '../calls.ts'
import type { MainMessage, ThreadMessage, WorkerSettings } from '../messages.ts'

/** The descriptors of the process, beside the three that every process has. */
export const READ_FROM = 3
export const WRITE_TO = 4
export const BOARD = 5

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
