import type { Limits } from '../../common/limits.ts'
import type { PeerIdString } from '../types.ts'
import { type Rates, ratesOf, TokenBuckets } from './token-buckets.ts'

/** Peers of which it is remembered that they were shut out; those whose time is over go first. */
const REMEMBERED = 1_000
/** The longest pause, in first ones: each is twice the one before it. */
const LONGEST = 32
/** Whoever keeps to its rates for so many first pauses has its next one halved. */
const FORGIVEN_AFTER = 6

/** The names of what comes by gossip: what a peer wrote itself, and what it brings of others. */
export const OWN_GOSSIP = 'gossip'
export const RELAYED_GOSSIP = 'relay'

interface Pause {
  ms: number
  until: number
}

/**
 * Counts what each peer sends on each protocol before it is decoded. A message beyond the rate ends its channel: what is behind it would not be
 * understood without it, and whoever merely has much to say begins anew, as after any channel that broke. Whoever goes on has its
 * connections closed, and makes no other for a while. That while grows, and nothing of what it has taken is made good in it: else a flood would be taken
 * in again, a whole burst at a time, after each.
 */
export class RateLimiter {
  readonly #rates: ReadonlyMap<string, TokenBuckets>
  readonly #excess: TokenBuckets
  /** What one beyond the rate counts of what is tolerated, where that is not 1. */
  readonly #weights: ReadonlyMap<string, number>
  readonly #firstMs: number
  readonly #onShut: (peer: PeerIdString, ms: number) => void
  readonly #now: () => number
  /** Who was shut out last for how long, and until when. */
  readonly #shut = new Map<PeerIdString, Pause>()

  /** @param onShut - its connections are to be closed; it is shut out for so many ms */
  constructor(
    limits: Limits,
    onShut: (peer: PeerIdString, ms: number) => void,
    now: () => number = () => performance.now()
  ) {
    const rates = ratesOf(limits)
    this.#rates = new Map(Object.entries(named(rates)).map(([name, rate]) => [name, new TokenBuckets(rate, now)]))
    // Gossip is dropped message by message, with no channel to begin anew: as many as the burst may be.
    this.#weights = new Map([
      [OWN_GOSSIP, limits.floodTolerance / rates.author.burst],
      [RELAYED_GOSSIP, limits.floodTolerance / rates.bearer.burst]
    ])
    // What it has sent too much of is made good in the time for which it is shut out first, and in as much again.
    const perSecond = limits.floodTolerance / ((2 * limits.floodPauseMs) / 1_000)
    this.#excess = new TokenBuckets({ burst: limits.floodTolerance, perSecond }, now)
    this.#firstMs = limits.floodPauseMs
    this.#onShut = onShut
    this.#now = now
  }

  /** Whether one more message of this peer, or one more stream, is within its rate. */
  admits(protocol: string, peer: PeerIdString): boolean {
    // What was on its way when its connections were closed.
    if (this.isShut(peer)) return false
    if (this.#rates.get(protocol)?.tryTake(peer, 1) !== false) return true
    if (!this.#excess.tryTake(peer, this.#weights.get(protocol) ?? 1)) this.#shutOut(peer)
    return false
  }

  /** Whether there is to be no connection with it now. */
  isShut(peer: PeerIdString): boolean {
    return this.shutFor(peer) > 0
  }

  /** For how many ms more there is to be none. */
  shutFor(peer: PeerIdString): number {
    return Math.max(0, (this.#shut.get(peer)?.until ?? 0) - this.#now())
  }

  #shutOut(peer: PeerIdString): void {
    const now = this.#now()
    if (this.#shut.size >= REMEMBERED)
      for (const [each, { until }] of this.#shut) if (until <= now) this.#shut.delete(each)
    const ms = this.#nextPause(this.#shut.get(peer))
    this.#shut.set(peer, { ms, until: now + ms })
    for (const rate of this.#rates.values()) rate.hold(peer, ms)
    // It comes back with half of what is tolerated, however long it was away.
    this.#excess.hold(peer, ms - this.#firstMs)
    this.#onShut(peer, ms)
  }

  #nextPause(last: Pause | undefined): number {
    if (last === undefined) return this.#firstMs
    const halvings = Math.floor((this.#now() - last.until) / (FORGIVEN_AFTER * this.#firstMs))
    return Math.max(1, Math.min(LONGEST, (2 * last.ms) / this.#firstMs / 2 ** halvings)) * this.#firstMs
  }
}

function named({ protocols, author, bearer }: Rates): Rates['protocols'] {
  return { ...protocols, [OWN_GOSSIP]: author, [RELAYED_GOSSIP]: bearer }
}
