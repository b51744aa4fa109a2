/** The interface of the network to the layers above. Implemented by network.ts and channel.ts. */
import type { PrivateKey } from '@libp2p/interface'
import type { TypedEventTarget } from 'main-event'
import type { ClusterKey } from './cluster-key.ts'
import type { Admission, AllowRule, Right } from './guard/admission.ts'
import type { Refusals } from './guard/refusals.ts'
import type { PinReason } from './pinned-peers.ts'

/** A PeerId as a base58 string, e.g. `12D3KooW…`. All layers above the network identify peers by this string. */
export type PeerIdString = string

/** The result of a dial. `refused`: a process answered, but the encrypted handshake failed. */
export type DialOutcome = 'connected' | 'refused' | 'self' | 'other-peer' | 'unreachable'

/** The reason for which a dialled peer refused this one: it has another key (`key`), or this peer is not on its allow list (`unlisted`). */
export type RefusedReason = 'key' | 'unlisted'

export interface AbortOptions {
  signal?: AbortSignal | undefined
}

/** Converts between a message and its bytes. `decode` throws if the bytes are not a valid message; the stream is then aborted. */
export interface Codec<T> {
  encode(message: T): Uint8Array
  decode(bytes: Uint8Array): T
  /**
   * Like `decode`, for a message whose decoding would block the event loop: yields to the event loop every few ms. Returns undefined for other messages.
   */
  decodeInTurns?(bytes: Uint8Array): Promise<T> | undefined
}

export interface ProtocolSpec<T> {
  /** Short name; the libp2p protocol id becomes `/p2p-worker/<cluster id>/<name>/1.0.0`. */
  name: string
  codec: Codec<T>
  /** The largest message accepted or sent, in bytes. */
  maxMessageBytes: number
  /** The right that a peer needs for this protocol. @default none */
  needs?: Right
}

/** A typed message channel over one libp2p stream: ordered, with a size limit and backpressure both ways. */
export interface Channel<T> {
  /** The PeerId that the connection authenticated: the sender of every message on this channel. */
  readonly remote: PeerIdString
  readonly direction: 'inbound' | 'outbound'
  /** A signal that aborts (with a ChannelClosedError as its reason) when either side has ended the channel. */
  readonly closed: AbortSignal
  /** The number of bytes that `send` has accepted and the other side has not acknowledged as consumed. It acknowledges 1 KiB or more at a time. */
  readonly pendingBytes: number
  /**
   * Sends a message; resolves when the next one may be sent (backpressure). Messages sent without awaiting keep their order.
   *
   * @throws ChannelClosedError, MessageTooLargeError, or the signal's reason
   */
  send(message: T, options?: AbortOptions): Promise<void>
  /** Sends the accepted messages, then ends the channel. */
  close(): Promise<void>
  /** Ends the channel now. */
  abort(reason: Error): void
}

/** The handler of a protocol. Its promises are awaited: a slow handler slows the sender down. */
export interface ProtocolHandler<T> {
  onOpen?(channel: Channel<T>): void
  onMessage(message: T, channel: Channel<T>): void | Promise<void>
  /** Called when `decodeInTurns` begins; returns a function that is called when the message is decoded. Later messages of the channel wait for the message. */
  onDecoding?(channel: Channel<T>): () => void
  onClose?(channel: Channel<T>, reason: Error): void
}

/** A protocol registered on the network: one long-lived channel per pair of peers, opened on demand in either direction. */
export interface Protocol<T> {
  /** Returns the open channel to `peer`, which either side may have opened. Opens one if there is none, and dials if necessary. */
  channel(peer: PeerIdString, options?: AbortOptions): Promise<Channel<T>>
  /** Sends a message on the channel to `peer`: short for `(await channel(peer)).send(message)`. */
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
  /** Another peer was authenticated at an address of `peer`, and no connection to `peer` is open: `peer` may have crashed. */
  displaced: CustomEvent<{ peer: PeerIdString }>
  /** The addresses on which this peer can be reached changed. */
  addresses: CustomEvent<{ addresses: string[] }>
  /**
   * A dialled peer answered but refused this one. `certain`: the dialled peer has another key, or said that this peer is not on its list; if false, it has
   * broken off the handshake more than once.
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
  /** 16 hex digits that identify the cluster (name and key) in protocol ids, topics and signatures. They do not reveal the key. */
  readonly clusterId: string
  /** The counts of refusals, including refusals by the layers above. */
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
   * Subscribes to a gossip topic. `validate` is synchronous. A message on which it throws is refused: neither relayed nor
   * delivered.
   */
  subscribe(topic: string, validate: (data: Uint8Array) => void, onMessage: (data: Uint8Array) => void): Topic
  /** Remembers the addresses from a peer's signed record, to dial the peer later. */
  learn(peer: PeerIdString, addresses: string[], host: string | undefined): void
  /** Forgets a peer: closes its connections and dials it no more. */
  forget(peer: PeerIdString): void
  /**
   * Pins members for one reason, and replaces the members that were pinned for that reason. Pinned members stay connected; other members are connected on
   * demand and disconnected when idle. At first, all members are pinned.
   */
  stayConnected(reason: PinReason, peers: 'all' | Iterable<PeerIdString>): void
  /**
   * Replaces the keys, the allow list (`null`: none) or both, and ends connections that they no longer permit.
   *
   * @throws InvalidOptionError if a key belongs to another cluster
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
  /** Whether a dial is running or has just connected, so that this peer may be about to learn the members. */
  readonly isMeeting: boolean
  /** The last dialled addresses and their results, for the error when no peer was found. */
  tried(): { address: string; outcome: string; kind: DialOutcome }[]
  stop(): Promise<void>
}
