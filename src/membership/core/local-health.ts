/** The largest score. At this score, a peer's probe period and timeouts are nine times as long. */
const WORST = 8

/**
 * This peer's estimate of its own slowness (Lifeguard, Dadgar et al. 2018, §IV-A; memberlist's awareness). Each sign that the peer is slow
 * lengthens its probe period and timeout, and each answer in time shortens both again. So a slow peer accuses fewer members and sends fewer pings.
 */
export class LocalHealth {
  #score = 0

  /** Improves the score: an answer came in time. */
  better(): void {
    this.#score = Math.max(0, this.#score - 1)
  }

  /** Worsens the score: no answer came, this peer was late, or this peer had to refute an accusation. */
  worse(): void {
    this.#score = Math.min(WORST, this.#score + 1)
  }

  /** The score. It is 0 if this peer shows no sign of slowness. */
  get score(): number {
    return this.#score
  }

  /** The factor by which probe periods and timeouts are longer. It is 1 at score 0. */
  get stretch(): number {
    return 1 + this.#score
  }

  static readonly longestStretch = 1 + WORST
}
