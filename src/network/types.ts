/** The interface of the network to the layers above. Implemented by network.ts and channel.ts. */
import type { PrivateKey } from '@libp2p/interface'
import type { TypedEventTarget } from 'main-event'
import type { ClusterKey } from './cluster-key.ts'
import type { Admission, AllowRule, Right } from './guard/admission.ts'
import type { Refusals } from './guard/refusals.ts'
import type { PinReason } from './pinned-peers.ts'

/** A PeerId as a base58 string, e.g. `12D3KooW…`. Everything above the network layer names peers by it. */
export type PeerIdString = string

/** How a dial ended; `refused`: a process answered, but the encrypted handshake failed. */
export type DialOutcome = 'connected' | 'refused' | 'self' | 'other-peer' | 'unreachable'

/** Why a dialled peer refused this one: it has another key, or this peer is not on its allow list. */
export type RefusedReason = 'key' | 'unlisted'

export interface AbortOptions {
  signal?: AbortSignal | undefined
}

/** Converts between a message and its bytes. `decode` throws on anything that is not a valid message; the stream is then aborted. */
export interface Codec<T> {
  encode(message: T): Uint8Array
  decode(bytes: Uint8Array): T
  /**
   * As `decode`, for a message whose decoding would block the event loop: yields to it every few ms. Undefined for other messages.
   */
  decodeInTurns?(bytes: Uint8Array): Promise<T> | undefined
}

export interface ProtocolSpec<T> {
  /** Short name; the libp2p protocol id becomes `/p2p-worker/<cluster id>/<name>/1.0.0`. */
  name: string
  codec: Codec<T>
  /** The largest message accepted or sent, in bytes. */
  maxMessageBytes: number
  /** The right that a peer needs to speak it. @default none */
  needs?: Right
}

/** A typed message channel over one libp2p stream: ordered, with a size limit and backpressure both ways. */
export interface Channel<T> {
  /** The PeerId that the connection authenticated: the sender of all that arrives here. */
  readonly remote: PeerIdString
  readonly direction: 'inbound' | 'outbound'
  /** Aborts (with a ChannelClosedError as its reason) when the channel has ended, from whichever side. */
  readonly closed: AbortSignal
  /** Bytes accepted by `send` and not yet known to be consumed at the other side, which says so for 1 KiB and more. */
  readonly pendingBytes: number
  /**
   * Resolves when the next message may be sent (backpressure); messages sent without awaiting keep their order.
   *
   * @throws ChannelClosedError, MessageTooLargeError, or the signal's reason
   */
  send(message: T, options?: AbortOptions): Promise<void>
  /** Sends what was accepted, then ends the channel. */
  close(): Promise<void>
  /** Ends the channel now. */
  abort(reason: Error): void
}

/** The handler of a protocol. Its promises are awaited: a slow handler slows the sender down. */
export interface ProtocolHandler<T> {
  onOpen?(channel: Channel<T>): void
  onMessage(message: T, channel: Channel<T>): void | Promise<void>
  /** Called when `decodeInTurns` begins on a message; returns a function to call when it is decoded. Only later messages of the channel wait for it. */
  onDecoding?(channel: Channel<T>): () => void
  onClose?(channel: Channel<T>, reason: Error): void
}

/** A protocol registered on the network: one long-lived channel per pair of peers, opened on demand in either direction. */
export interface Protocol<T> {
  /** The open channel to `peer` (whichever side opened it), else opens one, dialling if need be. */
  channel(peer: PeerIdString, options?: AbortOptions): Promise<Channel<T>>
  /** `(await channel(peer)).send(message)`. */
  send(peer: PeerIdString, message: T, options?: AbortOptions): Promise<void>
  channels(): Channel<T>[]
  /** Unregisters the handler and closes its channels. */
  close(): Promise<void>
}

export interface NetworkEvents {
  /** The first connection to a peer opened. */
  connected: CustomEvent<{ peer: PeerIdString }>
  /** The last connection to a peer closed. */
  disconnected: CustomEvent<{ peer: PeerIdString }>
  /** Another peer was authenticated at an address of `peer`, to which no connection is open: `peer` may have crashed. */
  displaced: CustomEvent<{ peer: PeerIdString }>
  /** The addresses on which this peer can be reached changed. */
  addresses: CustomEvent<{ addresses: string[] }>
  /**
   * A dialled peer answered but refused this one. `certain`: it is known to have another key, or said that this peer is not on its list; else it has broken
   * off the handshake more than once.
   */
  refused: CustomEvent<{ address: string; reason: RefusedReason; certain: boolean; error: Error }>
}

/** A gossipsub topic of the cluster. */
export interface Topic {
  publish(data: Uint8Array): void
  close(): void
}

export interface Network extends TypedEventTarget<NetworkEvents> {
  readonly self: PeerIdString
  readonly privateKey: PrivateKey
  /** The cluster's name. */
  readonly cluster: string
  /** 16 hex digits that stand for the cluster (name and key) in protocol ids, topics and signatures. Reveals no key. */
  readonly clusterId: string
  /** Counts refusals, also those of the layers above. */
  readonly refusals: Refusals
  /** The allow list. */
  readonly admission: Admission
  /** The multiaddrs on which this peer can be reached, each with `/p2p/<id>`; unspecified addresses are expanded. */
  addresses(): string[]
  connected(): PeerIdString[]
  isConnected(peer: PeerIdString): boolean
  /** Registers a protocol and its handler. */
  register<T>(spec: ProtocolSpec<T>, handler: ProtocolHandler<T>): Protocol<T>
  /**
   * Subscribes to a gossip topic. `validate` is synchronous and decides whether a message is relayed and delivered:
   * what it throws on is refused.
   */
  subscribe(topic: string, validate: (data: Uint8Array) => void, onMessage: (data: Uint8Array) => void): Topic
  /** Remembers addresses of a peer (learnt from its signed record), to dial it later. */
  learn(peer: PeerIdString, addresses: string[], host: string | undefined): void
  /** Forgets a peer: closes its connections and dials it no more. */
  forget(peer: PeerIdString): void
  /**
   * Pins members for one reason, in place of those pinned for it before: pinned members stay connected, others are connected on demand and disconnected
   * when idle. At first all are pinned.
   */
  stayConnected(reason: PinReason, peers: 'all' | Iterable<PeerIdString>): void
  /**
   * Replaces the keys, the allow list (`null`: none) or both, and ends connections that they no longer permit.
   *
   * @throws InvalidOptionError when a key is of another cluster
   */
  setAccess(access: { key?: ClusterKey | readonly ClusterKey[]; allow?: readonly AllowRule[] | null }): void
  /** Ends the connections to a peer at once and drops unsent data. The peer stays known and is dialled again. */
  disconnect(peer: PeerIdString): void
  /** Connects to a peer whose addresses are known; resolves when connected. */
  connect(peer: PeerIdString, options?: AbortOptions): Promise<void>
  /**
   * Asks the kernel at the other side: `refused` only when every address on which this observer has itself dialled and
   * authenticated `peer` answers ECONNREFUSED (the crash fast path); `unknown` otherwise, and for members that need not
   * stay connected.
   */
  askKernel(peer: PeerIdString, options?: AbortOptions): Promise<'refused' | 'unknown'>
  /** Whether a dial is under way or has just connected: this peer may be about to learn the members. */
  readonly isMeeting: boolean
  /** The addresses dialled last and how each dial ended, for the error when no peer was found. */
  tried(): { address: string; outcome: string; kind: DialOutcome }[]
  stop(): Promise<void>
}
