import type { InvalidMessageError } from '../common/errors.ts'
import { delay } from '../lib/abort.ts'
import { RATES } from '../network/guard/rates.ts'
import { RefusedMessageError } from '../network/guard/refusals.ts'
import { TokenBuckets } from '../network/guard/token-buckets.ts'
import type { Channel, PeerIdString } from '../network/types.ts'
import type { SwimMessage } from './core/messages.ts'

/** The longest wait (ms) of a message. A peer above this wait loses its channel, and may open a new channel after half of this time. */
const LONGEST_WAIT = 20_000

/**
 * Limits the records that a peer sends or asks for, because verifying takes time. A message beyond the rate waits. While a message waits, the
 * channel accepts at most its window (4 MiB), which bounds the memory. The network limits the number of messages.
 */
export class RecordRateLimiter {
  readonly #records: TokenBuckets
  /** The number of waiting messages of each peer. */
  readonly #waiting = new Map<PeerIdString, number>()

  constructor(records = new TokenBuckets(RATES.records)) {
    this.#records = records
  }

  opened(channel: Channel<SwimMessage>): void {
    const { remote } = channel
    // The first message of a channel is decoded before its records are counted, so a peer far beyond its rate must not open a channel.
    if (this.#records.owed(remote) > LONGEST_WAIT / 2) channel.abort(rateExceeded(remote))
  }

  /**
   * Calls `handle` as soon as the message is within its sender's rate, unless the channel ends first.
   *
   * @param members - the number of known members, which is the number of records in the reply to a push-pull
   * @throws InvalidMessageError if the message would have to wait too long
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
    if (wait > LONGEST_WAIT) throw rateExceeded(remote)
    this.#records.take(remote, cost)
    if (wait === 0) return handle()
    const release = this.addWaiting(remote)
    return delay(wait, channel.closed)
      .finally(release)
      .then(handle, () => {})
  }

  /** Counts a message of this peer as waiting until the returned function is called. */
  addWaiting(peer: PeerIdString): () => void {
    this.#waiting.set(peer, (this.#waiting.get(peer) ?? 0) + 1)
    return () => {
      const left = this.#waiting.get(peer)! - 1
      if (left > 0) this.#waiting.set(peer, left)
      else this.#waiting.delete(peer)
    }
  }

  /** Whether messages of this peer wait. An answer of the peer may be among the waiting messages. */
  hasBacklog(peer: PeerIdString): boolean {
    return this.#waiting.has(peer)
  }
}

/** The number of records that a message carries or asks for. */
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

function rateExceeded(peer: PeerIdString): InvalidMessageError {
  return new RefusedMessageError('rate', `membership: ${peer} sends more than a peer may send`)
}
