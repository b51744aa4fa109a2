import pDefer from 'p-defer'
import { orAborted } from '../../lib/abort.ts'
import type { Channel } from '../types.ts'

interface Pending<Message, Answer> {
  channel: Channel<Message>
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** Requests of one protocol that wait for the answer with their id, on the channel on which they were sent. */
export class PendingRequests<Message, Answer> {
  readonly #pending = new Map<number, Pending<Message, Answer>>()
  #id = 0

  /** Sends `request`, and waits for its answer. Rejects with the signal's reason, or when the channel is closed. */
  async send(channel: Channel<Message>, request: (id: number) => Message, signal: AbortSignal): Promise<Answer> {
    this.#id = (this.#id + 1) % 2 ** 32
    const id = this.#id
    const { promise, resolve, reject } = pDefer<Answer>()
    // It may be rejected while the request is still on its way.
    promise.catch(() => {})
    this.#pending.set(id, { channel, resolve, reject })
    try {
      await channel.send(request(id), { signal })
      return await orAborted(orAborted(promise, signal), channel.closed)
    } finally {
      this.#pending.delete(id)
    }
  }

  /** The request that a message with this id on this channel answers; undefined: nobody waits for it. */
  get(id: number, channel: Channel<Message>): Pick<Pending<Message, Answer>, 'resolve' | 'reject'> | undefined {
    const pending = this.#pending.get(id)
    return pending?.channel === channel ? pending : undefined
  }
}
