/** A channel between two layers of one peer. The leader sends messages to itself through the same interface as to other peers. */
import { ChannelClosedError } from '../../common/errors.ts'
import type { AbortOptions, Channel, PeerIdString, ProtocolHandler } from '../types.ts'

class MemoryChannel<T> implements Channel<T> {
  readonly remote: PeerIdString
  readonly direction: 'inbound' | 'outbound'
  readonly pendingBytes = 0
  readonly #handler: ProtocolHandler<T>
  readonly #closed = new AbortController()
  /** The other end of the channel. It is set directly after construction. */
  other!: MemoryChannel<T>
  #tail: Promise<void> = Promise.resolve()

  constructor(remote: PeerIdString, direction: 'inbound' | 'outbound', handler: ProtocolHandler<T>) {
    this.remote = remote
    this.direction = direction
    this.#handler = handler
  }

  get closed(): AbortSignal {
    return this.#closed.signal
  }

  get handler(): ProtocolHandler<T> {
    return this.#handler
  }

  send(message: T, { signal }: AbortOptions = {}): Promise<void> {
    const deliver = async (): Promise<void> => {
      signal?.throwIfAborted()
      this.closed.throwIfAborted()
      const { other } = this
      try {
        await other.handler.onMessage(message, other)
      } catch (error) {
        this.abort(error instanceof Error ? error : new Error(String(error)))
        throw this.closed.reason
      }
    }
    const sent = this.#tail.then(deliver)
    this.#tail = sent.catch(() => {})
    return sent
  }

  async close(): Promise<void> {
    await this.#tail
    this.abort(new Error('closed'))
  }

  abort(reason: Error): void {
    const error = new ChannelClosedError('the channel of this peer to itself is closed', { cause: reason })
    this.end(error)
    this.other.end(error)
  }

  end(error: Error): void {
    if (this.closed.aborted) return
    this.#closed.abort(error)
    this.#handler.onClose?.(this, error)
  }
}

/** Creates the two ends of a channel. The handler of each end gets the messages that the other end sends. */
export function memoryChannel<T>(
  self: PeerIdString,
  near: ProtocolHandler<T>,
  far: ProtocolHandler<T>
): [near: Channel<T>, far: Channel<T>] {
  const a = new MemoryChannel(self, 'outbound', near)
  const b = new MemoryChannel(self, 'inbound', far)
  a.other = b
  b.other = a
  return [a, b]
}
