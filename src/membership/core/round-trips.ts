import type { PeerIdString } from '../../network/types.ts'

/** Weights of a new sample (RFC 6298 §2): one eighth in the mean, one quarter in the variation. */
const ALPHA = 1 / 8
const BETA = 1 / 4
/** How many variations above the mean an answer is still in time (RFC 6298 §2). */
const K = 4
/** But at least this many ms above the mean (G of RFC 6298): a busy event loop delays even an answer that never varied. */
const GRANULARITY = 20

interface Estimate {
  mean: number
  variation: number
}

/** The round trip to each member, estimated as TCP does (RFC 6298, after Jacobson 1988). */
export class RoundTrips {
  readonly #estimates = new Map<PeerIdString, Estimate>()

  /** A member answered after `ms`. */
  sample(id: PeerIdString, ms: number): void {
    const estimate = this.#estimates.get(id)
    if (estimate === undefined) {
      this.#estimates.set(id, { mean: ms, variation: ms / 2 })
      return
    }
    estimate.variation += BETA * (Math.abs(estimate.mean - ms) - estimate.variation)
    estimate.mean += ALPHA * (ms - estimate.mean)
  }

  /** The mean, in ms; undefined for a member that has not answered yet. */
  get(id: PeerIdString): number | undefined {
    return this.#estimates.get(id)?.mean
  }

  /** After how many ms a member's answer is late; undefined for one that has not answered yet. */
  late(id: PeerIdString): number | undefined {
    const estimate = this.#estimates.get(id)
    return estimate === undefined ? undefined : estimate.mean + Math.max(GRANULARITY, K * estimate.variation)
  }

  delete(id: PeerIdString): void {
    this.#estimates.delete(id)
  }
}
