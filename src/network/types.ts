/** The interface of the network to the layers above. network.ts and channel.ts implement the interface. */
import type { PrivateKey } from '@libp2p/interface'
import type { TypedEventTarget } from 'main-event'
import type { ClusterKey } from './cluster-key.ts'
import type { Admission, AllowRule, Right } from './guard/admission.ts'
import type { Refusals } from './guard/refusals.ts'
import type { PinReason } from './pinned-peers.ts'

/** A PeerId as a base58 string, e.g. `12D3KooW…`. All layers above the network identify peers by this string. */
export type PeerIdString = string

/** The result of a dial. `refused` means that a process answered, but the handshake failed. */
export type DialOutcome = 'connected' | 'refused' | 'self' | 'other-peer' | 'unreachable'

/** The reason for which a dialled peer refused this peer: the keys differ (`key`), or the dialled peer's allow list omits this peer (`unlisted`). */
export type RefusedReason = 'key' | 'unlisted'

export interface AbortOptions {
  signal?: AbortSignal | undefined
}

/** Converts between a message and its bytes. `decode` throws if the bytes are not a valid message, and then the channel aborts the stream. */
export interface Codec<T> {
  encode(message: T): Uint8Array
  decode(bytes: Uint8Array): T
  /**
   * Decodes a large message like `decode`, but yields to the event loop every few ms. Returns undefined for a small message.
   */
  decodeInTurns?(bytes: Uint8Array): Promise<T> | undefined
}

export interface ProtocolSpec<T> {
  /** The short name of the protocol. The libp2p protocol id is `/p2p-worker/<cluster id>/<name>/1.0.0`. */
  name: string
  codec: Codec<T>
  /** The size limit of sent and received messages, in bytes. */
  maxMessageBytes: number
  /** The right that a peer needs for this protocol. @default none */
  needs?: Right
}

/** A typed message channel over one libp2p stream. Messages keep their order and have a size limit, and both directions have backpressure. */
export interface Channel<T> {
  /** The PeerId of the other side, which the connection authenticated. This peer is the sender of every received message. */
  readonly remote: PeerIdString
  readonly direction: 'inbound' | 'outbound'
  /** A signal that aborts (with a ChannelClosedError as its reason) when either side has ended the channel. */
  readonly closed: AbortSignal
  /** The number of bytes passed to `send` that the other side has not acknowledged as consumed. An acknowledgement covers 1 KiB or more. */
  readonly pendingBytes: number
  /**
   * Sends a message. Resolves when the next message may be sent (backpressure). Messages that are sent without awaiting keep their order.
   *
   * @throws ChannelClosedError, MessageTooLargeError, or the signal's reason
   */
  send(message: T, options?: AbortOptions): Promise<void>
  /** Sends the queued messages, then ends the channel. */
  close(): Promise<void>
  /** Ends the channel now. */
  abort(reason: Error): void
}

/** The handler of a protocol. The channel awaits each promise of the handler, so a slow handler slows the sender down. */
export interface ProtocolHandler<T> {
  onOpen?(channel: Channel<T>): void
  onMessage(message: T, channel: Channel<T>): void | Promise<void>
  /** Called when `decodeInTurns` begins. Returns a function that the channel calls when the message is decoded. Later messages of the channel wait. */
  onDecoding?(channel: Channel<T>): () => void
  onClose?(channel: Channel<T>, reason: Error): void
}

/** A protocol registered on the network. Each pair of peers shares one long-lived channel, which either peer opens on demand. */
export interface Protocol<T> {
  /** Returns the open channel to `peer`, which either side may have opened. Opens a channel if none is open, and dials if necessary. */
  channel(peer: PeerIdString, options?: AbortOptions): Promise<Channel<T>>
  /** Sends a message on the channel to `peer`. This is short for `(await channel(peer)).send(message)`. */
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
   * A dialled peer answered but refused this peer. `certain` is true if the handshake showed the reason. If `certain` is false, the dialled peer
   * ended at least two handshakes without a reason.
   */
  refused: CustomEvent<{ address: string; reason: RefusedReason; certain: boolean; error: Error }>
}

/** A gossip topic to which this peer has subscribed. */
export interface Topic {
  publish(data: Uint8Array): void
  close(): void
}

export interface Network extends TypedEventTarget<NetworkEvents> {
  readonly self: PeerIdString
  readonly privateKey: PrivateKey
  /** The cluster's name. */
  readonly cluster: string
  /** 16 hex digits that identify the cluster (name and key) in protocol ids, topics and signatures. The digits do not reveal the key. */
  readonly clusterId: string
  /** The counts of refusals by this peer, including refusals by the layers above the network. */
  readonly refusals: Refusals
  /** The allow list of this peer. */
  readonly admission: Admission
  /** Returns the multiaddrs on which this peer can be reached, each with `/p2p/<id>`. All addresses of the machine replace `0.0.0.0`. */
  addresses(): string[]
  connected(): PeerIdString[]
  isConnected(peer: PeerIdString): boolean
  /** Registers a protocol and its handler. */
  register<T>(spec: ProtocolSpec<T>, handler: ProtocolHandler<T>): Protocol<T>
  /**
   * Subscribes to a gossip topic. `validate` is synchronous. A message on which `validate` throws is neither relayed nor
   * delivered.
   */
  subscribe(topic: string, validate: (data: Uint8Array) => void, onMessage: (data: Uint8Array) => void): Topic
  /** Remembers the addresses from a peer's signed record, and starts to keep the peer connected. */
  learn(peer: PeerIdString, addresses: string[], host: string | undefined): void
  /** Forgets a peer: closes the connections to the peer and no longer dials the peer. */
  forget(peer: PeerIdString): void
  /**
   * Pins members for one reason, and replaces the members that were pinned for the same reason. Pinned members stay connected. Others are connected on
   * demand and disconnected when idle. At first, all members are pinned.
   */
  stayConnected(reason: PinReason, peers: 'all' | Iterable<PeerIdString>): void
  /**
   * Replaces the keys, the allow list (`null` removes the list) or both. Ends the connections that the new keys and list do not permit.
   *
   * @throws InvalidOptionError if a key belongs to another cluster
   */
  setAccess(access: { key?: ClusterKey | readonly ClusterKey[]; allow?: readonly AllowRule[] | null }): void
  /** Ends the connections to a peer at once and drops unsent data. The network still knows the peer and dials it again. */
  disconnect(peer: PeerIdString): void
  /** Connects to a peer whose addresses are known. Resolves when the peer is connected. */
  connect(peer: PeerIdString, options?: AbortOptions): Promise<void>
  /**
   * Asks the kernel of the peer's machine. Returns `refused` only when every own address of `peer` at which this observer has dialled and
   * authenticated `peer` answers ECONNREFUSED (the crash fast path). Returns `unknown` otherwise, and for members that need not
   * stay connected.
   */
  askKernel(peer: PeerIdString, options?: AbortOptions): Promise<'refused' | 'unknown'>
  /** Whether a dial is running or has just connected. In that case this peer may learn the members soon. */
  readonly isMeeting: boolean
  /** Returns the last dialled addresses and their results. The error for "no peer found" contains the results. */
  tried(): { address: string; outcome: string; kind: DialOutcome }[]
  stop(): Promise<void>
}
