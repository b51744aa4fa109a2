import type { ElectionTimes } from '../profile.ts'

/** A leader of long standing repeats its announcement after so many intervals. */
const MOST_INTERVALS = 8

/** When a leader says again that it leads; and by when it should have, whether it was away. */
export class Announcements {
  readonly #times: ElectionTimes
  #due = 0
  /** How many intervals have passed since it claimed. */
  #intervals = 0
  #doubtfulUntil = 0

  constructor(times: ElectionTimes) {
    this.#times = times
  }

  /** The leader has just said it to all. */
  begin(now: number): void {
    this.#intervals = 0
    this.#due = now + this.#times.announceInterval
  }

  /** An interval has passed: whether it is said again. After 1, 2, 4 and 8, then after every 8th: so no loss is for good. */
  repeat(now: number): boolean {
    this.#intervals += 1
    this.#due = now + this.#times.announceInterval
    const isPowerOfTwo = (this.#intervals & (this.#intervals - 1)) === 0
    return isPowerOfTwo || this.#intervals % MOST_INTERVALS === 0
  }

  /** Looks whether an interval was missed: then this leader was away, and others may have another one. */
  look(now: number): void {
    if (now > this.#due + this.#times.awayAfter) this.#doubtfulUntil = now + this.#times.handOffTimeout
  }

  /** Whether this leader doubts that it still leads. */
  isDoubtful(now: number): boolean {
    return now < this.#doubtfulUntil
  }

  /** It has just claimed. */
  beSure(): void {
    this.#doubtfulUntil = 0
  }
}
