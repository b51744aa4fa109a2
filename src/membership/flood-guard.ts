import type { InvalidMessageError } from '../common/errors.ts'
import { delay } from '../lib/wait.ts'
import { RATES } from '../network/guard/rates.ts'
import { RefusedMessageError } from '../network/guard/refusals.ts'
import { TokenBuckets } from '../network/guard/token-buckets.ts'
import type { Channel, PeerIdString } from '../network/types.ts'
import type { SwimMessage } from './core/messages.ts'

/** Whose messages would have to wait longer than this, in ms, loses its channel and opens no other until that is made good. */
const LONGEST_WAIT = 20_000

/**
 * Keeps one that brings or asks for many records from taking this peer's time: what is beyond its rate waits, and while it waits no more is
 * handled from that channel than its window holds (4 MiB), so that it fills no memory either. How many messages come is the RateLimiter's.
 */
export class FloodGuard {
  readonly #records: TokenBuckets
  /** How many messages of each peer wait. */
  readonly #held = new Map<PeerIdString, number>()

  constructor(records = new TokenBuckets(RATES.records)) {
    this.#records = records
  }

  opened(channel: Channel<SwimMessage>): void {
    const { remote } = channel
    // Each new channel brings a message that is decoded before anybody can count it.
    if (this.#records.owed(remote) > LONGEST_WAIT / 2) channel.abort(flood(remote))
  }

  /**
   * Calls `handle` now, or when the message is within its sender's rate; not at all if the channel ends before.
   *
   * @param members - how many this peer knows: so many records answer a push-pull
   * @throws InvalidMessageError when the message would have to wait too long
   */
  admit(
    message: SwimMessage,
    channel: Channel<SwimMessage>,
    members: number,
    handle: () => void
  ): void | Promise<void> {
    const { remote } = channel
    const cost = records(message, members)
    const wait = this.#records.wouldWait(remote, cost)
    if (wait > LONGEST_WAIT) throw flood(remote)
    this.#records.take(remote, cost)
    if (wait === 0) return handle()
    const release = this.hold(remote)
    return delay(wait, channel.closed)
      .finally(release)
      .then(handle, () => {})
  }

  /** Something that came from this peer waits until what is returned is called. */
  hold(peer: PeerIdString): () => void {
    this.#held.set(peer, (this.#held.get(peer) ?? 0) + 1)
    return () => this.#release(peer)
  }

  /** Whether something that came from this peer still waits: an answer may be behind it. */
  isHolding(peer: PeerIdString): boolean {
    return this.#held.has(peer)
  }

  #release(peer: PeerIdString): void {
    const left = (this.#held.get(peer) ?? 0) - 1
    if (left > 0) this.#held.set(peer, left)
    else this.#held.delete(peer)
  }
}

/** How many records a message carries or asks for. */
function records(message: SwimMessage, members: number): number {
  switch (message.type) {
    case 'sync': {
      const accusations = message.entries.reduce((sum, entry) => sum + entry.accusations.length, 0)
      return message.entries.length + accusations + (message.reply ? 0 : members)
    }
    case 'records':
      return message.records.length
    case 'ping':
      return message.accusations.length
    default:
      return 0
  }
}

function flood(peer: PeerIdString): InvalidMessageError {
  return new RefusedMessageError('rate', `membership: ${peer} sends more than anybody may`)
}
