/** The largest score, at which a peer's period and timeouts are nine times as long. */
const WORST = 8

/**
 * The degree to which this peer doubts itself (Lifeguard, Dadgar et al. 2018, §IV-A; memberlist's awareness). Each sign that the peer is slow
 * stretches its probe period and timeout; each answer in time shortens them again. A starved peer then accuses less, and sends starved members less.
 */
export class LocalHealth {
  #score = 0

  /** Improves the score: an answer came in time. */
  better(): void {
    this.#score = Math.max(0, this.#score - 1)
  }

  /** Worsens the score: no answer came, this peer itself was late, or it had to refute. */
  worse(): void {
    this.#score = Math.min(WORST, this.#score + 1)
  }

  /** The score; 0: this peer shows no sign of slowness. */
  get score(): number {
    return this.#score
  }

  /** The factor of periods and timeouts; 1 at score 0. */
  get stretch(): number {
    return 1 + this.#score
  }

  static readonly longestStretch = 1 + WORST
}
