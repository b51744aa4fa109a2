import type { PeerIdString } from '../../network/types.ts'

/** The weight of a new sample (RFC 6298 §2) is one eighth in the mean and one quarter in the variation. */
const ALPHA = 1 / 8
const BETA = 1 / 4
/** The factor K of RFC 6298 §2: an answer is in time up to K variations above the mean. */
const K = 4
/** The minimum margin (ms) above the mean (G of RFC 6298). A busy event loop may delay an answer even if the round trip has never varied. */
const GRANULARITY = 20

interface Estimate {
  mean: number
  variation: number
}

/** The estimated round trip time to each member, by the method of TCP (RFC 6298, after Jacobson 1988). */
export class RoundTrips {
  readonly #estimates = new Map<PeerIdString, Estimate>()

  /** Records that a member answered after `ms`. */
  sample(id: PeerIdString, ms: number): void {
    const estimate = this.#estimates.get(id)
    if (estimate === undefined) {
      this.#estimates.set(id, { mean: ms, variation: ms / 2 })
      return
    }
    estimate.variation += BETA * (Math.abs(estimate.mean - ms) - estimate.variation)
    estimate.mean += ALPHA * (ms - estimate.mean)
  }

  /** Returns the mean round trip in ms, or undefined for a member that has not answered yet. */
  get(id: PeerIdString): number | undefined {
    return this.#estimates.get(id)?.mean
  }

  /** Returns the time (ms) after which an answer of a member is late, or undefined for a member that has not answered yet. */
  late(id: PeerIdString): number | undefined {
    const estimate = this.#estimates.get(id)
    return estimate === undefined ? undefined : estimate.mean + Math.max(GRANULARITY, K * estimate.variation)
  }

  delete(id: PeerIdString): void {
    this.#estimates.delete(id)
  }
}
