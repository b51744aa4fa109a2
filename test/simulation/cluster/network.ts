/** The network of one simulated peer: protocols and channels over streams. A stream delivers every message, or breaks. */

import pDefer from 'p-defer'
import { ChannelClosedError } from '../../../src/common/errors.ts'
import { Admission } from '../../../src/network/guard/admission.ts'
import { Refusals } from '../../../src/network/guard/refusals.ts'
import type {
  AbortOptions,
  Channel,
  PeerIdString,
  Protocol,
  ProtocolHandler,
  ProtocolSpec
} from '../../../src/network/types.ts'
import { Streams } from '../streams.ts'
import type { Host } from '../world.ts'

type Frame =
  | { type: 'open'; id: string; protocol: string }
  | { type: 'opened' | 'end'; id: string }
  | { type: 'data'; id: string; bytes: Uint8Array }

interface Registered {
  spec: ProtocolSpec<unknown>
  handler: ProtocolHandler<unknown>
}

class StreamChannel implements Channel<unknown> {
  readonly pendingBytes = 0
  readonly id: string
  readonly remote: PeerIdString
  readonly direction: 'inbound' | 'outbound'
  readonly registered: Registered
  readonly #send: (frame: Frame) => void
  readonly #onEnd: () => void
  readonly #closed = new AbortController()

  constructor(
    id: string,
    remote: PeerIdString,
    direction: 'inbound' | 'outbound',
    registered: Registered,
    send: (frame: Frame) => void,
    onEnd: () => void
  ) {
    this.id = id
    this.remote = remote
    this.direction = direction
    this.registered = registered
    this.#send = send
    this.#onEnd = onEnd
  }

  get closed(): AbortSignal {
    return this.#closed.signal
  }

  async send(message: unknown, { signal }: AbortOptions = {}): Promise<void> {
    signal?.throwIfAborted()
    this.closed.throwIfAborted()
    this.#send({ type: 'data', id: this.id, bytes: this.registered.spec.codec.encode(message) })
  }

  async close(): Promise<void> {
    this.abort(new Error('closed'))
  }

  abort(reason: Error): void {
    if (this.closed.aborted) return
    this.#send({ type: 'end', id: this.id })
    this.end(reason)
  }

  end(reason: Error): void {
    if (this.closed.aborted) return
    const error = new ChannelClosedError(`channel to ${this.remote} is closed`, { cause: reason })
    this.#closed.abort(error)
    this.#onEnd()
    this.registered.handler.onClose?.(this, error)
  }
}

export class SimulatedNetwork {
  readonly self: PeerIdString
  readonly refusals = new Refusals()
  readonly admission = new Admission()
  readonly #streams: Streams
  readonly #protocols = new Map<string, Registered>()
  readonly #channels = new Map<string, StreamChannel>()
  /** Channels that the remote peer has not accepted yet. */
  readonly #opening = new Map<string, { channel: Promise<StreamChannel>; done(): void; fail(error: Error): void }>()
  readonly #fail: (error: Error) => void
  #count = 0

  /** @param fail - reports an impossible event: a message that its receiver cannot read */
  constructor(host: Host, fail: (error: Error) => void) {
    this.self = host.id
    this.#fail = fail
    // No simulated peer breaks the protocol, so every refused message means a bug.
    this.refusals.addEventListener('refusal', ({ detail: { kind, from, detail } }) =>
      fail(new Error(`${host.id} refused ${from} (${kind}): ${detail}`))
    )
    this.#streams = new Streams(host, {
      onMessage: (from, message) => this.#receive(from, message as Frame),
      onBroken: peer => this.#broken(peer)
    })
  }

  receive(from: string, message: unknown): void {
    this.#streams.receive(from, message)
  }

  timer(name: string): boolean {
    return this.#streams.timer(name)
  }

  break(peer: string): void {
    this.#streams.break(peer)
    this.#broken(peer)
  }

  register<T>(spec: ProtocolSpec<T>, handler: ProtocolHandler<T>): Protocol<T> {
    const registered = { spec, handler } as unknown as Registered
    this.#protocols.set(spec.name, registered)
    const own = (): StreamChannel[] => [...this.#channels.values()].filter(channel => channel.registered === registered)
    const channel = async (peer: PeerIdString, { signal }: AbortOptions = {}): Promise<Channel<T>> => {
      signal?.throwIfAborted()
      const open = own().find(({ remote }) => remote === peer) ?? (await this.#open(peer, registered))
      signal?.throwIfAborted()
      return open as unknown as Channel<T>
    }
    return {
      channel,
      send: async (peer, message, options) => (await channel(peer, options)).send(message, options),
      channels: () => own() as unknown as Channel<T>[],
      close: async () => {
        this.#protocols.delete(spec.name)
        for (const channel of own()) channel.abort(new Error('closed'))
      }
    }
  }

  #open(peer: PeerIdString, registered: Registered): Promise<StreamChannel> {
    const key = `${peer} ${registered.spec.name}`
    const under = this.#opening.get(key)
    if (under !== undefined) return under.channel
    const id = `${this.self} ${++this.#count}`
    const { promise, resolve, reject } = pDefer<StreamChannel>()
    this.#opening.set(key, {
      channel: promise,
      done: () => resolve(this.#add(id, peer, 'outbound', registered)),
      fail: reject
    })
    this.#opening.set(id, this.#opening.get(key)!)
    promise
      .catch(() => {})
      .finally(() => {
        this.#opening.delete(key)
        this.#opening.delete(id)
      })
    this.#streams.send(peer, { type: 'open', id, protocol: registered.spec.name } satisfies Frame)
    return promise
  }

  #add(id: string, remote: string, direction: 'inbound' | 'outbound', registered: Registered): StreamChannel {
    const send = (frame: Frame): void => this.#streams.send(remote, frame)
    const channel = new StreamChannel(id, remote, direction, registered, send, () => this.#channels.delete(id))
    this.#channels.set(id, channel)
    return channel
  }

  #receive(from: string, frame: Frame): void {
    const channel = this.#channels.get(frame.id)
    switch (frame.type) {
      case 'open': {
        const registered = this.#protocols.get(frame.protocol)
        if (registered === undefined) this.#streams.send(from, { type: 'end', id: frame.id } satisfies Frame)
        else {
          this.#add(frame.id, from, 'inbound', registered)
          this.#streams.send(from, { type: 'opened', id: frame.id } satisfies Frame)
        }
        break
      }
      case 'opened':
        this.#opening.get(frame.id)?.done()
        break
      case 'end':
        this.#opening.get(frame.id)?.fail(new Error(`${from} does not open a channel`))
        channel?.end(new Error('the other side ended it'))
        break
      case 'data':
        if (channel !== undefined) this.#deliver(channel, frame.bytes)
        break
    }
  }

  #deliver(channel: StreamChannel, bytes: Uint8Array): void {
    const { spec, handler } = channel.registered
    try {
      void handler.onMessage(spec.codec.decode(bytes), channel)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #broken(peer: string): void {
    const reason = new Error('the connection broke')
    for (const [key, { fail }] of [...this.#opening]) if (key.startsWith(`${peer} `)) fail(reason)
    for (const channel of [...this.#channels.values()]) if (channel.remote === peer) channel.end(reason)
  }
}
