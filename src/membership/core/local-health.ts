/** The score grows to this at most: at its worst a peer probes nine times as slowly and as patiently. */
const WORST = 8

/**
 * How much this peer should doubt itself (Lifeguard, Dadgar et al. 2018, §IV-A; memberlist's awareness): each sign that it
 * is slow itself stretches its own probe period and timeout, each answer that comes in time brings them back. A starved
 * peer then accuses less, and costs the others that starve with it less.
 */
export class LocalHealth {
  #score = 0

  /** An answer came in time. */
  better(): void {
    this.#score = Math.max(0, this.#score - 1)
  }

  /** No answer came, or this peer was late itself, or it had to refute. */
  worse(): void {
    this.#score = Math.min(WORST, this.#score + 1)
  }

  /** 0: all is well. */
  get score(): number {
    return this.#score
  }

  /** What to multiply periods and timeouts by: 1 when all is well. */
  get stretch(): number {
    return 1 + this.#score
  }

  static readonly longestStretch = 1 + WORST
}
