import type { Limits } from '../limits.ts'
import { RateLimit, ratesOf } from './rate-limit.ts'
import type { PeerIdString } from './types.ts'

/** Peers of which it is remembered that they are shut out; those whose time is over go first. */
const REMEMBERED = 1_000

/**
 * Counts the messages of each peer on each protocol before they are decoded. One beyond the rate ends its channel: what is behind it would not be
 * understood without it, and whoever merely has much to say begins anew, as after any channel that broke. Whoever goes on has its
 * connections closed, and makes no other for a while.
 */
export class FloodGate {
  readonly #rates: ReadonlyMap<string, RateLimit>
  readonly #excess: RateLimit
  readonly #pauseMs: number
  readonly #onShut: (peer: PeerIdString) => void
  readonly #now: () => number
  /** Who is shut out, and until when. */
  readonly #shut = new Map<PeerIdString, number>()

  /** @param onShut - its connections are to be closed */
  constructor(limits: Limits, onShut: (peer: PeerIdString) => void, now: () => number = () => performance.now()) {
    const rates = Object.entries(ratesOf(limits).protocols)
    this.#rates = new Map(rates.map(([protocol, rate]) => [protocol, new RateLimit(rate, now)]))
    // What it has sent too much of is made good in the time for which it is shut out, and in as much again.
    const perSecond = limits.floodTolerance / ((2 * limits.floodPauseMs) / 1_000)
    this.#excess = new RateLimit({ burst: limits.floodTolerance, perSecond }, now)
    this.#pauseMs = limits.floodPauseMs
    this.#onShut = onShut
    this.#now = now
  }

  /** Whether one more message of this peer, or one more stream, is within its rate. */
  admits(protocol: string, peer: PeerIdString): boolean {
    if (this.#rates.get(protocol)?.tryTake(peer, 1) !== false) return true
    if (!this.isShut(peer) && !this.#excess.tryTake(peer, 1)) this.#shutOut(peer)
    return false
  }

  /** Whether there is to be no connection with it now. */
  isShut(peer: PeerIdString): boolean {
    return (this.#shut.get(peer) ?? 0) > this.#now()
  }

  #shutOut(peer: PeerIdString): void {
    const now = this.#now()
    if (this.#shut.size >= REMEMBERED) for (const [each, until] of this.#shut) if (until <= now) this.#shut.delete(each)
    this.#shut.set(peer, now + this.#pauseMs)
    this.#onShut(peer)
  }
}
