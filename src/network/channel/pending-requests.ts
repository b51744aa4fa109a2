import pDefer from 'p-defer'
import { orAborted } from '../../lib/abort.ts'
import type { Channel } from '../types.ts'

interface Pending<Message, Answer> {
  channel: Channel<Message>
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** The pending requests of one protocol. An answer has the id of its request, and arrives on the channel of the request. */
export class PendingRequests<Message, Answer> {
  readonly #pending = new Map<number, Pending<Message, Answer>>()
  #id = 0

  /** Sends `request` and waits for the answer. Rejects when the signal aborts, and when the channel closes. */
  async send(channel: Channel<Message>, request: (id: number) => Message, signal: AbortSignal): Promise<Answer> {
    this.#id = (this.#id + 1) % 2 ** 32
    const id = this.#id
    const { promise, resolve, reject } = pDefer<Answer>()
    // This prevents an unhandled rejection when the promise rejects while the request is still being sent.
    promise.catch(() => {})
    this.#pending.set(id, { channel, resolve, reject })
    try {
      await channel.send(request(id), { signal })
      return await orAborted(orAborted(promise, signal), channel.closed)
    } finally {
      this.#pending.delete(id)
    }
  }

  /** Returns the pending request with this id on this channel, or undefined if there is no such request. */
  get(id: number, channel: Channel<Message>): Pick<Pending<Message, Answer>, 'resolve' | 'reject'> | undefined {
    const pending = this.#pending.get(id)
    return pending?.channel === channel ? pending : undefined
  }
}
