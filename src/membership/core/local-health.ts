/** The largest score: a peer then probes nine times as slowly and as patiently. */
const WORST = 8

/**
 * How much this peer doubts itself (Lifeguard, Dadgar et al. 2018, §IV-A; memberlist's awareness): each sign that it is slow stretches its probe
 * period and timeout, each answer in time brings them back. A starved peer then accuses less, and costs starved others less.
 */
export class LocalHealth {
  #score = 0

  /** An answer came in time. */
  better(): void {
    this.#score = Math.max(0, this.#score - 1)
  }

  /** No answer came, this peer itself was late, or it had to refute. */
  worse(): void {
    this.#score = Math.min(WORST, this.#score + 1)
  }

  /** 0: all is well. */
  get score(): number {
    return this.#score
  }

  /** The factor of periods and timeouts: 1 when all is well. */
  get stretch(): number {
    return 1 + this.#score
  }

  static readonly longestStretch = 1 + WORST
}
