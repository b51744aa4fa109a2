/** The messages between a peer and the supervisor of its command, over the channel of a forked process. */

/** The messages from the peer to the supervisor. */
export type Order =
  /**
   * The leadership lasts for at least `remaining` ms from `at` (see `now`): the command must be gone by then. It is
   * asked to stop `askBefore` ms earlier.
   */
  | { type: 'lasts'; remaining: number; at: number; askBefore: number }
  /** Stop the command now. */
  | { type: 'stop' }

/** The messages from the supervisor to the peer. */
export type Report =
  /** The command runs. If the supervisor dies, the peer kills the command's group. */
  | { type: 'started'; pid: number }
  /** The command has ended. `stopped`: it was stopped, and did not end by itself. */
  | { type: 'exited'; code: number | null; signal: NodeJS.Signals | null; stopped: boolean }
  /** The command could not be started; `code` is the system's, such as ENOENT. */
  | { type: 'failed'; code: string; message: string }

/** The parameters of a supervisor. It starts the command after the first `lasts` message. */
export interface Supervised {
  command: string
  args: string[]
  /** The time between SIGTERM and SIGKILL, in ms. */
  grace: number
}

/**
 * How long before the end of the leadership the command of a silent peer is killed, in ms: the system needs time to
 * kill it.
 */
export const KILL_MARGIN = 30

/** The time of the machine's monotonic clock in ms, which all its processes share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
