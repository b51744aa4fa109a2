import './polyfill.ts'
import { generateKeyPair } from '@libp2p/crypto/keys'
import type { Connection, PrivateKey } from '@libp2p/interface'
import type { Multiaddr } from '@multiformats/multiaddr'
import { TypedEventEmitter } from 'main-event'
import { P2pWorkerError, StoppedError } from '../common/errors.ts'
import { DEFAULT_LIMITS } from '../common/limits.ts'
import type { Logger } from '../common/logger.ts'
import { Backoff } from '../lib/backoff.ts'
import { ProtocolRegistry } from './channel/protocol-registry.ts'
import { type ClusterKey, clusterIdentity, mdnsServiceTag } from './cluster-key.ts'
import { Connections } from './connections.ts'
import { CrashProbe } from './crash-probe.ts'
import { AddressBook } from './discovery/address-book.ts'
import { Dialer } from './discovery/dialer.ts'
import { Discovery } from './discovery/discovery.ts'
import { MdnsSearch } from './discovery/mdns-search.ts'
import type { Admission, AllowRule } from './guard/admission.ts'
import { filterGossip } from './guard/gossip-filter.ts'
import { Guard } from './guard/guard.ts'
import type { Refusals } from './guard/refusals.ts'
import { HandlerError } from './handler-error.ts'
import { IdleConnections } from './idle-connections.ts'
import { hostAndPort, parseMultiaddr, tryMultiaddr, withoutPeer } from './multiaddr.ts'
import type { NetworkOptions } from './network-options.ts'
import { createNode, type Node, type NodeComponents } from './node.ts'
import { PeerStoreCleanup } from './peer-store-cleanup.ts'
import { PinnedPeers, type PinReason } from './pinned-peers.ts'
import { TOPICS, Topics, topicIds } from './topics.ts'
import { KeyRing } from './transport/key-ring.ts'
import type {
  AbortOptions,
  Network,
  NetworkEvents,
  PeerIdString,
  Protocol,
  ProtocolHandler,
  ProtocolSpec,
  Topic
} from './types.ts'

/** The interval (ms) of the check for changed addresses of this machine. Node emits no event when a laptop or container changes its network. */
const ADDRESS_CHECK = 3_000
/** The first and the longest pause (ms) before a new connection replaces a connection that ended at once: the other side may refuse. */
const CLOSED_AT_ONCE = [20, 2_000] as const

/**
 * Starts a libp2p node and keeps it connected to its cluster.
 *
 * @throws InvalidOptionError for a malformed name, key or address; P2pWorkerError if the node cannot listen
 */
export async function createNetwork(options: NetworkOptions): Promise<Network> {
  options.signal?.throwIfAborted()
  const network = await Libp2pNetwork.create(options)
  try {
    await network.start(options)
    options.signal?.throwIfAborted()
  } catch (error) {
    await network.stop()
    throw error
  }
  return network
}

/** The parts of a {@link Libp2pNetwork}. */
interface Parts {
  clusterId: string
  topics: ReadonlySet<string>
  guard: Guard
  connections: Connections
  book: AddressBook
  probe: CrashProbe
  node: Node
  components: NodeComponents
}

class Libp2pNetwork extends TypedEventEmitter<NetworkEvents> implements Network {
  readonly self: PeerIdString
  readonly privateKey: PrivateKey
  readonly cluster: string
  readonly clusterId: string
  readonly #guard: Guard
  readonly #node: Node
  readonly #components: NodeComponents
  readonly #connections: Connections
  readonly #book: AddressBook
  readonly #probe: CrashProbe
  readonly #dialer: Dialer
  readonly #discovery: Discovery
  readonly #topics: Topics
  readonly #mdns: MdnsSearch | undefined
  readonly #logger: Logger | undefined
  readonly #protocols: ProtocolRegistry
  readonly #idle: IdleConnections
  readonly #cleanup: PeerStoreCleanup
  readonly #pinned = new PinnedPeers()
  readonly #stop = new AbortController()
  #addresses: string[] = []
  #addressCheck: NodeJS.Timeout | undefined
  #stopped: Promise<void> | undefined

  static async create(options: NetworkOptions): Promise<Libp2pNetwork> {
    for (const address of options.listen) parseMultiaddr(address, '--listen')
    for (const address of options.bootstrap) parseMultiaddr(address, '--bootstrap')
    const privateKey = options.privateKey ?? (await generateKeyPair('Ed25519'))
    const { cluster, key, allow, limits = DEFAULT_LIMITS, listen, metrics } = options
    const { clusterId, psks } = clusterIdentity(cluster, key)
    const topics = topicIds(clusterId, options.topics ?? TOPICS)
    const guard = new Guard(limits, psks.length === 0 ? undefined : new KeyRing(psks), (peer, ms) => {
      options.logger?.warn({ peerId: peer, ms }, 'a peer floods this peer, and is shut out for a while')
      // Close the peer's connections in a microtask, because the caller is reading from one of these connections.
      queueMicrotask(() => network.#onBlocked(peer))
    })
    guard.admission.set(allow)
    const connections = new Connections()
    const book = new AddressBook(limits)
    const probe = new CrashProbe(connections, book, (peer, address) => network.#onDisplaced(peer, address))
    const { denyOutbound } = probe
    const made = await createNode({ privateKey, clusterId, guard, topics, listen, denyOutbound, metrics })
    filterGossip(made.node.services.pubsub, guard.rateLimiter, guard.refusals, topics)
    const parts = { ...made, clusterId, topics, guard, connections, book, probe }
    const network = new Libp2pNetwork(options, privateKey, parts)
    return network
  }

  private constructor(
    options: NetworkOptions,
    privateKey: PrivateKey,
    { clusterId, topics, guard, connections, book, probe, node, components }: Parts
  ) {
    super()
    const onError = this.#onError.bind(this)
    this.self = node.peerId.toString()
    this.privateKey = privateKey
    this.cluster = options.cluster
    this.clusterId = clusterId
    this.#guard = guard
    this.#node = node
    this.#components = components
    this.#connections = connections
    this.#book = book
    this.#probe = probe
    this.#logger = options.logger
    probe.use(node)
    this.#cleanup = new PeerStoreCleanup(node, components.registrar, onError)
    this.#dialer = new Dialer(node, (address, reason, error, certain) =>
      this.dispatchEvent(new CustomEvent('refused', { detail: { address, reason, certain, error } }))
    )
    this.#discovery = new Discovery(
      {
        self: this.self,
        reachable: options.listen.length > 0,
        isConnected: peer => connections.has(peer),
        // A peer without the right to join is not a member, even if other peers relay its record.
        isPinned: peer => this.#pinned.has(peer) && guard.admission.may(peer, 'join'),
        disconnected: (peer, signal) => connections.whenGone(peer, signal)
      },
      book,
      this.#dialer,
      guard.limits
    )
    this.#topics = new Topics(node.services.pubsub, clusterId, topics, guard, onError)
    if (options.mdns) {
      const tag = mdnsServiceTag(options.cluster)
      this.#mdns = new MdnsSearch(components, tag, ({ id, addresses }) => this.#discovery.found(id, addresses))
    }
    this.#protocols = new ProtocolRegistry({
      node,
      clusterId,
      guard,
      maxQueueing: (options.probeTimeout ?? 200) / 4,
      connection: (peer, signal) => this.#connection(peer, signal),
      onError
    })
    this.#idle = new IdleConnections({
      connections,
      timeout: options.idleTimeout ?? 30_000,
      // Clients and newcomers, which are not members, decide themselves when to disconnect.
      isNeeded: peer => this.#pinned.has(peer) || !this.#discovery.isMember(peer),
      usedAt: peer => this.#protocols.usedAt(peer)
    })
    node.addEventListener('connection:open', event => this.#onOpen(event.detail))
    node.addEventListener('connection:close', event => this.#onClose(event.detail))
    node.addEventListener('self:peer:update', () => this.#onAddresses())
  }

  get refusals(): Refusals {
    return this.#guard.refusals
  }

  get admission(): Admission {
    return this.#guard.admission
  }

  async start(options: NetworkOptions): Promise<void> {
    try {
      await this.#node.start()
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new P2pWorkerError(`could not listen on ${options.listen.join(', ')}: ${why}`, { cause })
    }
    this.#addresses = this.addresses()
    this.#addressCheck = setInterval(() => this.#onAddresses(), ADDRESS_CHECK).unref()
    for (const address of options.bootstrap) this.#discovery.bootstrap(parseMultiaddr(address, '--bootstrap'))
    void this.#remember(options)
    await this.#mdns?.start()
    this.#mdns?.search()
  }

  async #remember({ remembered = [] }: NetworkOptions): Promise<void> {
    for (const text of await remembered) {
      const address = tryMultiaddr(text)
      if (address !== undefined) this.#discovery.remembered(address)
    }
  }

  addresses(): string[] {
    // libp2p's own list omits public addresses until a service that this project does not use has confirmed them.
    const all = this.#components.transportManager.getAddrs().map(address => `${withoutPeer(address)}/p2p/${this.self}`)
    return [...new Set(all)]
  }

  connected(): PeerIdString[] {
    return this.#connections.peers()
  }

  isConnected(peer: PeerIdString): boolean {
    return this.#connections.has(peer)
  }

  register<T>(spec: ProtocolSpec<T>, handler: ProtocolHandler<T>): Protocol<T> {
    return this.#protocols.register(spec, handler)
  }

  subscribe(topic: string, validate: (data: Uint8Array) => void, onMessage: (data: Uint8Array) => void): Topic {
    return this.#topics.subscribe(topic, validate, onMessage)
  }

  learn(peer: PeerIdString, addresses: string[], host: string | undefined): void {
    if (peer === this.self || this.#stop.signal.aborted) return
    this.#book.announce(peer, addresses, host)
    this.#discovery.learnt(peer)
    this.#meet(peer)
  }

  stayConnected(reason: PinReason, peers: 'all' | Iterable<PeerIdString>): void {
    this.#pinned.set(reason, peers)
    this.#discovery.reconsider()
    for (const peer of this.connected()) this.#meet(peer)
    if (this.#pinned.isBounded && !this.#stop.signal.aborted) this.#idle.start()
    else this.#idle.stop()
  }

  forget(peer: PeerIdString): void {
    this.#discovery.forget(peer)
    this.#probe.forget(peer)
    this.#connections.close(peer)
  }

  disconnect(peer: PeerIdString): void {
    for (const connection of this.#connections.of(peer)) {
      connection.abort(new P2pWorkerError(`the connections to ${peer} were given up`))
    }
  }

  async connect(peer: PeerIdString, options: AbortOptions = {}): Promise<void> {
    options.signal?.throwIfAborted()
    this.#stop.signal.throwIfAborted()
    const signal = options.signal ?? this.#stop.signal
    await this.#discovery.connect(peer, signal)
  }

  setAccess({ key, allow }: { key?: ClusterKey | readonly ClusterKey[]; allow?: readonly AllowRule[] | null }): void {
    if (key !== undefined) {
      this.#guard.setKeys(key, { cluster: this.cluster, clusterId: this.clusterId, open: this.#connections.all() })
    }
    if (allow !== undefined) this.admission.set(allow ?? undefined)
    for (const peer of this.connected()) if (!this.admission.admits(peer)) this.disconnect(peer)
    this.#protocols.recheckAccess()
    this.#discovery.reconsider()
  }

  async askKernel(peer: PeerIdString, options: AbortOptions = {}): Promise<'refused' | 'unknown'> {
    // Connections to unpinned peers close when they are idle, so a close does not suggest a crash.
    return this.#pinned.has(peer) ? this.#probe.ask(peer, options.signal) : 'unknown'
  }

  get isMeeting(): boolean {
    return this.#dialer.isMeeting
  }

  tried(): ReturnType<Network['tried']> {
    return this.#dialer.tried()
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#shutDown()
    return this.#stopped
  }

  async #shutDown(): Promise<void> {
    this.#stop.abort(new StoppedError('the network was stopped'))
    clearInterval(this.#addressCheck)
    this.#idle.stop()
    this.#discovery.stop()
    this.#probe.stop()
    this.#guard.stop()
    await this.#mdns?.stop()
    await this.#protocols.close()
    this.#topics.stop()
    await this.#node.stop()
    this.#cleanup.stop()
    this.#connections.clear()
  }

  /** Returns the oldest open connection to `peer`. Dials the peer if no connection is open. */
  async #connection(peer: PeerIdString, signal: AbortSignal): Promise<Connection> {
    const backoff = new Backoff(...CLOSED_AT_ONCE)
    for (;;) {
      await this.connect(peer, { signal })
      const connection = this.#connections.oldest(peer)
      if (connection !== undefined) return connection
      // All connections to the peer are closing. This peer dials again after libp2p has reported the closes.
      await backoff.wait(signal)
    }
  }

  #onError(where: string, error: Error, data?: { peerId: PeerIdString; protocol: string }): void {
    if (error instanceof HandlerError && !this.#stop.signal.aborted)
      this.#logger?.error({ ...data, error: error.cause }, `${where}: its handler threw, which is a bug of p2p-worker`)
    else this.#logger?.debug({ ...data, error }, where)
  }

  /** Finds out at which of its own addresses a pinned peer answers. The crash fast path needs this knowledge. */
  #meet(peer: PeerIdString): void {
    if (this.isConnected(peer) && this.#pinned.has(peer)) this.#probe.meet(peer)
  }

  #onBlocked(peer: PeerIdString): void {
    for (const { remoteAddr } of this.#connections.of(peer)) this.#guard.limitHandshakes(peer, remoteAddr)
    this.disconnect(peer)
  }

  #onOpen(connection: Connection): void {
    if (connection.status !== 'open') return
    const peer = connection.remotePeer.toString()
    if (!this.#guard.admits(connection, peer, this.#connections.of(peer).length)) return
    const first = this.#connections.add(connection)
    if (connection.direction === 'outbound') this.#probe.authenticated(peer, connection.remoteAddr)
    if (!first) return
    this.#meet(peer)
    this.#mdns?.rest()
    this.dispatchEvent(new CustomEvent('connected', { detail: { peer } }))
  }

  #onClose(connection: Connection): void {
    const peer = connection.remotePeer.toString()
    this.#guard.onClose(connection)
    const outcome = this.#connections.remove(connection)
    if (outcome === 'others') this.#renewGossip(peer)
    if (outcome !== 'last') return
    if (this.#connections.peers().length === 0 && !this.#stop.signal.aborted) this.#mdns?.search()
    this.dispatchEvent(new CustomEvent('disconnected', { detail: { peer } }))
  }

  /**
   * Ends the connections to an address that another peer has taken over. A machine that lost its power closes no connection.
   * Connections to the peer's other addresses may still be in use.
   */
  #onDisplaced(peer: PeerIdString, address: Multiaddr): void {
    const connections = this.#connections.of(peer)
    if (connections.length === 0) this.dispatchEvent(new CustomEvent('displaced', { detail: { peer } }))
    const { host } = hostAndPort(address)
    for (const connection of connections) {
      if (hostAndPort(connection.remoteAddr).host !== host) continue
      connection.abort(new P2pWorkerError(`another peer has the address of ${peer}`))
    }
  }

  /** Repeats identify on a remaining connection. Only after identify does gossipsub replace a stream that ended with another connection. */
  #renewGossip(peer: PeerIdString): void {
    const connection = this.#connections.oldest(peer)
    if (connection === undefined || this.#stop.signal.aborted) return
    this.#node.services.identify
      .identify(connection, { signal: AbortSignal.timeout(5_000) })
      .catch(error => this.#onError('identifying again', error))
  }

  #onAddresses(): void {
    const addresses = this.addresses()
    if (addresses.join() === this.#addresses.join()) return
    this.#addresses = addresses
    this.dispatchEvent(new CustomEvent('addresses', { detail: { addresses } }))
  }
}
