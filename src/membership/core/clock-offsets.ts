import type { PeerIdString } from '../../network/types.ts'

/** A longer round trip (ms) says too little about the clock at its other end. */
const LONGEST_MS = 2_000

/**
 * How far the wall clocks of the members differ, by the answers to pings. As in NTP, an answer was given half a round trip before it arrived, so
 * the error is at most half a round trip.
 */
export class ClockOffsets {
  /** For each member, the time of its wall clock when the clock of this core was 0. A step of this peer's own wall clock does not change it. */
  readonly #origins = new Map<PeerIdString, number>()

  /** Records that a member answered with the time of its wall clock. */
  sample(id: PeerIdString, wall: number, sentAt: number, now: number): void {
    if (now - sentAt <= LONGEST_MS) this.#origins.set(id, wall - (sentAt + now) / 2)
  }

  /** Returns `own` less the median of `own` and the others. Undefined if none of the others has answered. */
  offset(own: number, others: readonly PeerIdString[]): number | undefined {
    const known = others.flatMap(id => this.#origins.get(id) ?? [])
    if (known.length === 0) return undefined
    const sorted = [...known, own].sort((a, b) => a - b)
    const middle = sorted.length / 2
    return own - (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
  }

  delete(id: PeerIdString): void {
    this.#origins.delete(id)
  }
}
