/** The messages between a peer and the supervisor of a command, over the IPC channel of a forked process. */

/** The messages from the peer to the supervisor. */
export type Order =
  /**
   * The leadership lasts for at least `remaining` ms after the time `at` (see `now`). The supervisor asks the command to
   * stop `askBefore` ms before the leadership ends, and the command must have ended when the leadership ends.
   */
  | { type: 'lasts'; remaining: number; at: number; askBefore: number }
  /** The supervisor must stop the command now. */
  | { type: 'stop' }

/** The messages from the supervisor to the peer. */
export type Report =
  /** The command runs. If the supervisor dies, the peer kills the process group of the command. */
  | { type: 'started'; pid: number }
  /** The command has ended. `stopped` is true if the supervisor stopped the command. */
  | { type: 'exited'; code: number | null; signal: NodeJS.Signals | null; stopped: boolean }
  /** The command could not be started; `code` is the error code of the system, such as ENOENT. */
  | { type: 'failed'; code: string; message: string }

/** The parameters of a supervisor. The supervisor starts the command after the first message `lasts`. */
export interface Supervised {
  command: string
  args: string[]
  /** The time between SIGTERM and SIGKILL, in ms. */
  grace: number
}

/**
 * If the peer is silent, the supervisor kills the command this time (ms) before the leadership ends, because the system
 * needs time to kill a process.
 */
export const KILL_MARGIN = 30

/** The time of the monotonic clock of the machine, in ms. All processes of the machine share this clock. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
