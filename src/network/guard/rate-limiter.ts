import type { Limits } from '../../common/limits.ts'
import type { PeerIdString } from '../types.ts'
import { ratesOf } from './rates.ts'
import { deleteExpired, TokenBuckets } from './token-buckets.ts'

/** The longest block, as a multiple of the first block. Each block is twice as long as the previous block. */
const LONGEST = 32
/** The time for which a peer must keep to its rates so that its next block is halved, as a multiple of the first block. */
const FORGIVEN_AFTER = 6

/** The names of the gossip rates: one for a peer's own messages, and one for messages that the peer relays. */
export const OWN_GOSSIP = 'gossip'
export const RELAYED_GOSSIP = 'relay'

interface Block {
  ms: number
  until: number
}

/**
 * Counts the messages of each peer on each protocol, before the messages are decoded. A message beyond the rate ends its channel, because a channel cannot skip a
 * message. The peer may open a new channel. A peer that continues is blocked: its connections are closed, and no connection to it is accepted or
 * dialled for some time. Each block is longer than the previous block. Buckets do not fill during a block, so a flooding peer gets no new burst by a block.
 */
export class RateLimiter {
  readonly #buckets: ReadonlyMap<string, TokenBuckets>
  readonly #excess: TokenBuckets
  /** The part of the tolerance that one message beyond a rate takes, by rate name. The default is 1. */
  readonly #weights: ReadonlyMap<string, number>
  readonly #firstMs: number
  readonly #onBlock: (peer: PeerIdString, ms: number) => void
  readonly #now: () => number
  /** The last block of each peer. */
  readonly #blocks = new Map<PeerIdString, Block>()

  /** @param onBlock - called when a peer is blocked for `ms`; must close the connections of that peer */
  constructor(
    limits: Limits,
    onBlock: (peer: PeerIdString, ms: number) => void,
    now: () => number = () => performance.now()
  ) {
    const { floodTolerance, floodPauseMs } = limits
    const rates = ratesOf(limits)
    this.#buckets = new Map(Object.entries(rates).map(([name, rate]) => [name, new TokenBuckets(rate, now)]))
    // Gossip has no channel that could end, so a peer is blocked only after it has exceeded its rate by as many messages as a burst.
    this.#weights = new Map([
      [OWN_GOSSIP, floodTolerance / rates.gossip.burst],
      [RELAYED_GOSSIP, floodTolerance / rates.relay.burst]
    ])
    // The tolerance refills completely within twice the duration of the first block.
    const perSecond = floodTolerance / ((2 * floodPauseMs) / 1_000)
    this.#excess = new TokenBuckets({ burst: floodTolerance, perSecond }, now)
    this.#firstMs = floodPauseMs
    this.#onBlock = onBlock
    this.#now = now
  }

  /** Whether one more message or stream of this peer is within its rate. */
  admits(protocol: string, peer: PeerIdString): boolean {
    // Refuse messages of a blocked peer, which may still arrive after its connections were closed.
    if (this.blockedFor(peer) > 0) return false
    if (this.#buckets.get(protocol)?.tryTake(peer, 1) !== false) return true
    if (!this.#excess.tryTake(peer, this.#weights.get(protocol) ?? 1)) this.#block(peer)
    return false
  }

  /** Returns the time (ms) for which the peer is still blocked, or 0 if the peer is not blocked. */
  blockedFor(peer: PeerIdString): number {
    return Math.max(0, (this.#blocks.get(peer)?.until ?? 0) - this.#now())
  }

  #block(peer: PeerIdString): void {
    const now = this.#now()
    deleteExpired(this.#blocks, now, ({ until }) => until)
    const ms = this.#nextBlock(this.#blocks.get(peer))
    this.#blocks.set(peer, { ms, until: now + ms })
    for (const buckets of this.#buckets.values()) buckets.pause(peer, ms)
    // After a block of any length, the peer has half of the tolerance.
    this.#excess.pause(peer, ms - this.#firstMs)
    this.#onBlock(peer, ms)
  }

  #nextBlock(last: Block | undefined): number {
    if (last === undefined) return this.#firstMs
    const halvings = Math.floor((this.#now() - last.until) / (FORGIVEN_AFTER * this.#firstMs))
    return Math.max(1, Math.min(LONGEST, (2 * last.ms) / this.#firstMs / 2 ** halvings)) * this.#firstMs
  }
}
