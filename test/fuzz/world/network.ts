/**
 * The network of a fuzzed peer. It decodes bytes and calls the registered handlers, as FramedChannel and Topics do. Every error
 * of a handler is a find, unless the error reports an invalid message.
 */
import type { PrivateKey } from '@libp2p/interface'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { TypedEventEmitter } from 'main-event'
import { ChannelClosedError, InvalidMessageError, MessageTooLargeError } from '../../../src/common/errors.ts'
import { Admission } from '../../../src/network/guard/admission.ts'
import { Refusals } from '../../../src/network/guard/refusals.ts'
import type {
  AbortOptions,
  Channel,
  NetworkEvents,
  PeerIdString,
  Protocol,
  ProtocolHandler,
  ProtocolSpec,
  Topic
} from '../../../src/network/types.ts'
import { Find, told } from '../find.ts'

export const CLUSTER = 'fuzz'
export const CLUSTER_ID = '0123456789abcdef'

interface Registered {
  spec: ProtocolSpec<unknown>
  handler: ProtocolHandler<unknown>
}

interface Subscribed {
  validate(data: Uint8Array): void
  onMessage(data: Uint8Array): void
}

/** The remote end of a channel: a peer or the hostile member. */
export interface FarEnd {
  onBytes(bytes: Uint8Array): void
  onEnd(reason: Error): void
}

/** Whether the receiver handled or refused a frame. */
export type Taken = 'handled' | 'refused'

/** A channel of a fuzzed peer. */
export class FuzzChannel implements Channel<unknown> {
  readonly pendingBytes = 0
  readonly remote: PeerIdString
  readonly direction: 'inbound' | 'outbound'
  readonly #registered: Registered
  readonly #network: FuzzNetwork
  readonly #closed = new AbortController()
  #tail: Promise<void> = Promise.resolve()
  far!: FarEnd

  constructor(network: FuzzNetwork, remote: PeerIdString, direction: 'inbound' | 'outbound', registered: Registered) {
    this.#network = network
    this.remote = remote
    this.direction = direction
    this.#registered = registered
  }

  get name(): string {
    return this.#registered.spec.name
  }

  get owner(): PeerIdString {
    return this.#network.self
  }

  get closed(): AbortSignal {
    return this.#closed.signal
  }

  start(): void {
    this.#registered.handler.onOpen?.(this)
  }

  async send(message: unknown, { signal }: AbortOptions = {}): Promise<void> {
    signal?.throwIfAborted()
    this.closed.throwIfAborted()
    const { codec, maxMessageBytes } = this.#registered.spec
    const bytes = codec.encode(message)
    if (bytes.byteLength > maxMessageBytes) throw new MessageTooLargeError(`${bytes.byteLength} bytes`)
    this.far.onBytes(bytes)
  }

  /** Receives the bytes of a whole message. The channel handles messages in order. */
  receive(bytes: Uint8Array): void {
    this.#tail = this.#tail.then(() => this.#handle(bytes))
  }

  async #handle(bytes: Uint8Array): Promise<void> {
    if (this.closed.aborted) return
    const { spec, handler } = this.#registered
    try {
      if (bytes.byteLength > spec.maxMessageBytes) throw new InvalidMessageError('a message that is too large')
      await handler.onMessage(spec.codec.decode(bytes), this)
      this.#network.took(this.remote, 'handled')
    } catch (error) {
      this.#network.took(this.remote, 'refused')
      if (!(error instanceof InvalidMessageError)) this.#network.found(`"${spec.name}" threw ${told(error)}`)
      this.abort(error as Error)
    }
  }

  async close(): Promise<void> {
    await this.#tail
    this.abort(new Error('closed'))
  }

  abort(reason: Error): void {
    if (this.closed.aborted) return
    this.end(reason)
    this.far.onEnd(reason)
  }

  end(reason: Error): void {
    if (this.closed.aborted) return
    const error = new ChannelClosedError(`channel to ${this.remote} is closed`, { cause: reason })
    this.#network.channels.delete(this)
    this.#closed.abort(error)
    this.#registered.handler.onClose?.(this, error)
  }
}

/** A node that the peers of a world can reach. */
export interface Reachable {
  readonly self: PeerIdString
  /** Accepts a channel that another node opens. Returns undefined if this node does not support the protocol. */
  accept(name: string, near: FuzzChannel): FarEnd | undefined
  listensTo(topic: string): boolean
  gossip(topic: string, data: Uint8Array): void
}

/** The peers that exist in the world. */
export class Hub {
  readonly members = new Map<PeerIdString, Reachable>()
  readonly finds: Find[] = []
  /** The numbers of frames of the hostile member that were handled and that were refused. */
  readonly taken = { handled: 0, refused: 0 }
  readonly #hostile: PeerIdString

  constructor(hostile: PeerIdString) {
    this.#hostile = hostile
  }

  took(from: PeerIdString, how: Taken): void {
    if (from === this.#hostile) this.taken[how] += 1
  }

  publish(from: PeerIdString, topic: string, data: Uint8Array): void {
    for (const [id, member] of this.members)
      if (id !== from && member.listensTo(topic)) queueMicrotask(() => member.gossip(topic, data))
  }
}

export class FuzzNetwork extends TypedEventEmitter<NetworkEvents> implements Reachable {
  readonly self: PeerIdString
  readonly privateKey: PrivateKey
  readonly cluster = CLUSTER
  readonly clusterId = CLUSTER_ID
  readonly refusals = new Refusals()
  readonly admission = new Admission()
  readonly isMeeting = false
  readonly channels = new Set<FuzzChannel>()
  readonly protocols = new Map<string, Registered>()
  readonly topics = new Map<string, Subscribed>()
  readonly #hub: Hub
  /** The peers that this peer can reach. Undefined if this peer can reach all peers. */
  readonly #reaches: ReadonlySet<PeerIdString> | undefined

  constructor(hub: Hub, privateKey: PrivateKey, reaches?: readonly PeerIdString[]) {
    super()
    this.#hub = hub
    this.privateKey = privateKey
    this.self = peerIdFromPrivateKey(privateKey).toString()
    this.#reaches = reaches && new Set(reaches)
    hub.members.set(this.self, this)
  }

  found(what: string): void {
    this.#hub.finds.push(new Find(what))
  }

  took(from: PeerIdString, how: Taken): void {
    this.#hub.took(from, how)
  }

  addresses(): string[] {
    return [`/ip4/127.0.0.1/tcp/4001/p2p/${this.self}`]
  }

  connected(): PeerIdString[] {
    return [...this.#hub.members.keys()].filter(id => id !== this.self && this.#reaches?.has(id) !== false)
  }

  isConnected(peer: PeerIdString): boolean {
    return this.connected().includes(peer)
  }

  register<T>(spec: ProtocolSpec<T>, handler: ProtocolHandler<T>): Protocol<T> {
    const registered = { spec, handler } as unknown as Registered
    this.protocols.set(spec.name, registered)
    const own = (): FuzzChannel[] => [...this.channels].filter(({ name }) => name === spec.name)
    const channel = async (peer: PeerIdString, { signal }: AbortOptions = {}): Promise<Channel<T>> => {
      signal?.throwIfAborted()
      await Promise.resolve()
      const open = own().find(({ remote }) => remote === peer) ?? this.#open(peer, registered)
      return open as unknown as Channel<T>
    }
    return {
      channel,
      send: async (peer, message, options) => (await channel(peer, options)).send(message, options),
      channels: () => own() as unknown as Channel<T>[],
      close: async () => {
        this.protocols.delete(spec.name)
        for (const channel of own()) channel.abort(new Error('closed'))
      }
    }
  }

  subscribe(name: string, validate: (data: Uint8Array) => void, onMessage: (data: Uint8Array) => void): Topic {
    this.topics.set(name, { validate, onMessage })
    return {
      publish: data => this.#hub.publish(this.self, name, data),
      close: () => void this.topics.delete(name)
    }
  }

  accept(name: string, near: FuzzChannel): FarEnd | undefined {
    const channel = this.inbound(name, near.owner)
    if (channel === undefined) return undefined
    channel.far = endOf(near)
    return endOf(channel)
  }

  /** Opens a channel from `remote` to this peer. */
  inbound(name: string, remote: PeerIdString): FuzzChannel | undefined {
    const registered = this.protocols.get(name)
    if (registered === undefined) return undefined
    const channel = new FuzzChannel(this, remote, 'inbound', registered)
    this.channels.add(channel)
    channel.start()
    return channel
  }

  listensTo(topic: string): boolean {
    return this.topics.has(topic)
  }

  gossip(topic: string, data: Uint8Array): Taken {
    const subscribed = this.topics.get(topic)
    if (subscribed === undefined) throw new Error(`nobody here listens to "${topic}"`)
    try {
      subscribed.validate(data)
    } catch (error) {
      if (!(error instanceof InvalidMessageError)) this.found(`validating "${topic}" threw ${told(error)}`)
      return 'refused'
    }
    try {
      subscribed.onMessage(data)
    } catch (error) {
      this.found(`gossip on "${topic}" was valid and threw ${told(error)}`)
    }
    return 'handled'
  }

  #open(peer: PeerIdString, registered: Registered): FuzzChannel {
    const there = this.isConnected(peer) ? this.#hub.members.get(peer) : undefined
    const channel = new FuzzChannel(this, peer, 'outbound', registered)
    const far = there?.accept(registered.spec.name, channel)
    if (far === undefined) throw new ChannelClosedError(`${peer} cannot be reached`)
    channel.far = far
    this.channels.add(channel)
    channel.start()
    return channel
  }

  /** Announces a new peer. */
  meet(peer: PeerIdString): void {
    this.dispatchEvent(new CustomEvent('connected', { detail: { peer } }))
  }

  // Learned addresses have no effect, because connections do not change in this world.
  learn(): void {}
  forget(): void {}
  stayConnected(): void {}
  disconnect(): void {}
  async connect(): Promise<void> {}
  async askKernel(): Promise<'unknown'> {
    return 'unknown'
  }
}

function endOf(channel: FuzzChannel): FarEnd {
  return { onBytes: bytes => channel.receive(bytes), onEnd: reason => channel.end(reason) }
}
