/**
 * The rules of schedules, one function each. They keep a due time from having two jobs and from being lost when the leader changes or a clock is set. A test
 * breaks a rule, and checks that the simulation fails.
 */

/** How far the clock of a leader may differ from the median of the members' clocks, in ms. */
export const CLOCK_MS = 5_000
/** A due time that is at most this late, in ms, counts as on time. */
export const ON_TIME_MS = 5_000
/** `missed: 'skip'` still starts the newest missed due time if it is at most this late, in ms. A change of leader takes less. */
export const GRACE_MS = 60_000
/** How long the journal remembers that a schedule was removed, in ms. */
export const REMOVED_MS = 24 * 60 * 60_000

export const scheduleRules = {
  /** Whether due times start jobs. `ahead`: see {@link ScheduleClock.ahead}. */
  mayFire: (ahead: number | undefined) => ahead === undefined || Math.abs(ahead) <= CLOCK_MS,
  /** Whether a mark is wrong, because it is ahead of the members' clocks. A leader with a mark in the future would fire nothing until then. */
  isWrong: (firedThrough: number, median: number) => firedThrough > median + CLOCK_MS,
  /** Whether the time has come. */
  isDue: (at: number, now: number) => at <= now,
  /** Whether a due time has its job already, so that it only gets its mark. */
  hasJob: (state: string | undefined): boolean => state !== undefined,
  /** Whether the next due time may fire. `written`: the mark that enough peers store. */
  mayGoOn: (firedThrough: number, written: number) => written >= firedThrough,
  /** Whether a due time that is `late` ms late is on time. */
  isOnTime: (late: number) => late <= ON_TIME_MS,
  /** Whether `missed: 'skip'` starts the newest missed due time. */
  isRecent: (late: number) => late <= GRACE_MS,
  /** Whether a due time may start a job while `running` jobs of the schedule have not ended. */
  mayOverlap: (running: number): boolean => running === 0,
  /** The due times that are kept if more than `catchUp` wait. */
  kept: (dues: readonly number[], catchUp: number) => dues.slice(-catchUp),
  /** The mark of a schedule that is resumed: due times that passed while it was paused have no jobs. */
  resumesFrom: (firedThrough: number, now: number) => Math.max(firedThrough, now),
  /** Whether a mark belongs to a definition, and not to a removed schedule of the same name. */
  belongs: (mark: string, definition: string) => mark === definition,
  /** Whether a paused schedule fires. */
  firesWhilePaused: false,
  /** How much later than its due time a job starts, in ms, at most `most`. Each leader computes the same. */
  delay: (name: string, due: number, most: number) => Math.floor(fraction(`${name}@${due}`) * most)
}

/** See {@link scheduleRules}. */
export type ScheduleRules = typeof scheduleRules

/** Returns a number in [0, 1) that is spread evenly over texts: FNV-1a with the last step of MurmurHash3. */
function fraction(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
