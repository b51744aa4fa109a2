import type { Limits } from '../../common/limits.ts'
import type { PeerIdString } from '../types.ts'
import { ratesOf } from './rates.ts'
import { deleteExpired, TokenBuckets } from './token-buckets.ts'

/** The longest block, as a multiple of the first one. Each block is twice as long as the previous one. */
const LONGEST = 32
/** The time, as a multiple of the first block, in which a peer must keep to its rates so that its next block is halved. */
const FORGIVEN_AFTER = 6

/** The names of the gossip rates: for a peer's own messages, and for messages that it relays. */
export const OWN_GOSSIP = 'gossip'
export const RELAYED_GOSSIP = 'relay'

interface Block {
  ms: number
  until: number
}

/**
 * Counts the messages of each peer on each protocol, before they are decoded. A message beyond the rate ends its channel, because a channel cannot skip a
 * message; a peer that merely sends much opens another channel. A peer that continues is blocked: its connections are closed, and none is accepted or
 * dialled for a while. Blocks grow, and the buckets do not fill during a block; otherwise a flood would bring a whole burst after each block.
 */
export class RateLimiter {
  readonly #buckets: ReadonlyMap<string, TokenBuckets>
  readonly #excess: TokenBuckets
  /** The share of the tolerance that one message beyond a rate takes, if not 1. */
  readonly #weights: ReadonlyMap<string, number>
  readonly #firstMs: number
  readonly #onBlock: (peer: PeerIdString, ms: number) => void
  readonly #now: () => number
  /** The last block of each peer. */
  readonly #blocks = new Map<PeerIdString, Block>()

  /** @param onBlock - closes the connections of a peer that is blocked for `ms` */
  constructor(
    limits: Limits,
    onBlock: (peer: PeerIdString, ms: number) => void,
    now: () => number = () => performance.now()
  ) {
    const { floodTolerance, floodPauseMs } = limits
    const rates = ratesOf(limits)
    this.#buckets = new Map(Object.entries(rates).map(([name, rate]) => [name, new TokenBuckets(rate, now)]))
    // Gossip has no channel to end, so a peer may exceed its rate by as many messages as the burst has.
    this.#weights = new Map([
      [OWN_GOSSIP, floodTolerance / rates.gossip.burst],
      [RELAYED_GOSSIP, floodTolerance / rates.relay.burst]
    ])
    // The tolerance is whole again after twice the first block.
    const perSecond = floodTolerance / ((2 * floodPauseMs) / 1_000)
    this.#excess = new TokenBuckets({ burst: floodTolerance, perSecond }, now)
    this.#firstMs = floodPauseMs
    this.#onBlock = onBlock
    this.#now = now
  }

  /** Whether one more message or stream of this peer is within its rate. */
  admits(protocol: string, peer: PeerIdString): boolean {
    // Messages may still arrive after the connections were closed.
    if (this.blockedFor(peer) > 0) return false
    if (this.#buckets.get(protocol)?.tryTake(peer, 1) !== false) return true
    if (!this.#excess.tryTake(peer, this.#weights.get(protocol) ?? 1)) this.#block(peer)
    return false
  }

  /** The time (ms) for which the peer is still blocked; 0: it is not blocked. */
  blockedFor(peer: PeerIdString): number {
    return Math.max(0, (this.#blocks.get(peer)?.until ?? 0) - this.#now())
  }

  #block(peer: PeerIdString): void {
    const now = this.#now()
    deleteExpired(this.#blocks, now, ({ until }) => until)
    const ms = this.#nextBlock(this.#blocks.get(peer))
    this.#blocks.set(peer, { ms, until: now + ms })
    for (const buckets of this.#buckets.values()) buckets.pause(peer, ms)
    // The peer returns with half of the tolerance after a block of any length.
    this.#excess.pause(peer, ms - this.#firstMs)
    this.#onBlock(peer, ms)
  }

  #nextBlock(last: Block | undefined): number {
    if (last === undefined) return this.#firstMs
    const halvings = Math.floor((this.#now() - last.until) / (FORGIVEN_AFTER * this.#firstMs))
    return Math.max(1, Math.min(LONGEST, (2 * last.ms) / this.#firstMs / 2 ** halvings)) * this.#firstMs
  }
}
