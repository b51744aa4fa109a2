import { InvalidMessageError } from '../errors.ts'
import { RATES, RateLimit } from '../network/rate-limit.ts'
import type { Channel, PeerIdString } from '../network/types.ts'
import { delay } from '../network/wait.ts'
import type { SwimMessage } from './messages.ts'

/** Whose messages would have to wait longer than this, in ms, loses its channel and opens no other until that is made good. */
const LONGEST_WAIT = 20_000

/**
 * Keeps one that floods from taking this peer's time: what is beyond its rate waits, and while it waits nothing more is read
 * from it, so that it fills no memory either.
 */
export class FloodGuard {
  readonly #messages: RateLimit
  readonly #records: RateLimit

  constructor(messages = new RateLimit(RATES.messages), records = new RateLimit(RATES.records)) {
    this.#messages = messages
    this.#records = records
  }

  opened(channel: Channel<SwimMessage>): void {
    const { remote } = channel
    // Each new channel brings a message that is decoded before anybody can count it.
    if (Math.max(this.#messages.owed(remote), this.#records.owed(remote)) > LONGEST_WAIT / 2)
      channel.abort(flood(remote))
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
    const wait = Math.max(this.#messages.take(remote, 1), this.#records.take(remote, records(message, members)))
    if (wait === 0) return handle()
    if (wait > LONGEST_WAIT) throw flood(remote)
    return delay(wait, channel.closed).then(handle, () => {})
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
  return new InvalidMessageError(`membership: ${peer} sends more than anybody may`)
}
