/** What a peer and the supervisor of its command say to each other, over the channel of a forked process. */

/** Peer to supervisor. */
export type Order =
  /**
   * The leadership lasts for at least so many ms from `at` (see `now`): the command must be gone by then. It is asked to stop
   * `askBefore` ms before.
   */
  | { type: 'lasts'; remaining: number; at: number; askBefore: number }
  /** Stop the command now. */
  | { type: 'stop' }

/** Supervisor to peer. */
export type Report =
  /** It runs. Should the supervisor die, the peer kills its group. */
  | { type: 'started'; pid: number }
  /** `stopped`: not of its own accord. */
  | { type: 'exited'; code: number | null; signal: NodeJS.Signals | null; stopped: boolean }
  /** It could not be started; `code` is the system's, such as ENOENT. */
  | { type: 'failed'; code: string; message: string }

/** What a supervisor is started with. It runs the command when it has been told for how long. */
export interface Supervised {
  command: string
  args: string[]
  /** In ms: between SIGTERM and SIGKILL. */
  grace: number
}

/** When the peer is silent the command is killed before the leadership ends; so long may the system take to do so, in ms. */
export const KILL_MARGIN = 30

/** Milliseconds of the machine's monotonic clock, which all its processes share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
