/**
 * The TCP part of the crash fast path (docs/membership.md): finds out by TCP connects whether a peer's process has ended. The kernel answers. A refusal
 * counts only at addresses at which a dial of this observer has authenticated the peer.
 */
import type { ConnectionGater } from '@libp2p/interface'
import type { Multiaddr } from '@multiformats/multiaddr'
import { delay, signalAfter } from '../lib/abort.ts'
import type { Connections } from './connections.ts'
import type { AddressBook } from './discovery/address-book.ts'
import { hostAndPort, withoutPeer } from './multiaddr.ts'
import type { Node } from './node.ts'
import { tcpConnectError } from './tcp-connect.ts'
import type { PeerIdString } from './types.ts'

/** The time limit of a TCP connect, in ms. */
const CONNECT_TIMEOUT = 500
/** The time limit (ms) of a verifying dial. A verifying dial finds out which peer answers at an address. */
const VERIFY_TIMEOUT = 5_000
/** The limit of simultaneous verifying dials. */
const CONCURRENCY = 2
/** The pause (ms) between a new connection and the verifying dial, so that the first messages on the connection are not delayed. */
const SETTLE = 20
/** The random part of the pause, in ms for each connected peer beyond the first FEW peers. Peers that start together are busy with handshakes. */
const SPREAD = 150
const FEW = 4
/** The pauses (ms) before the next connect. A dying process closes its sockets one by one, so its port may still accept connections for some ms. */
const ASK_AGAIN = [3, 10, 30, 100, 300]
/** The pauses (ms) between rounds of verifying dials of a peer, while no own address of the peer is verified. */
const AGAIN = [5_000, 20_000, 60_000]

/** Called when a dial of this observer authenticates another peer at `address`, at which an earlier dial authenticated `peer`. */
export type OnDisplaced = (peer: PeerIdString, address: Multiaddr) => void

export class CrashProbe {
  readonly #connections: Pick<Connections, 'has' | 'peers'>
  readonly #book: AddressBook
  readonly #onDisplaced: OnDisplaced
  /** The addresses, without PeerId, at which a dial of this observer authenticated the peer. */
  readonly #verified = new Map<PeerIdString, Set<string>>()
  /** The peer that a dial of this observer authenticated last, by address. */
  readonly #owners = new Map<string, PeerIdString>()
  /** The running verifying dials by address. `peer` is the peer that answered. */
  readonly #verifying = new Map<string, { peer: PeerIdString | undefined }>()
  /** The timers of peers that will be verified after a pause. */
  readonly #waiting = new Map<PeerIdString, NodeJS.Timeout>()
  /** The peers whose pause is over, with the number of their earlier attempts. */
  readonly #due = new Map<PeerIdString, number>()
  readonly #stop = new AbortController()
  #running = 0
  #node: Node | undefined

  constructor(connections: Pick<Connections, 'has' | 'peers'>, book: AddressBook, onDisplaced: OnDisplaced) {
    this.#connections = connections
    this.#book = book
    this.#onDisplaced = onDisplaced
  }

  /** Ends a verifying dial as soon as the handshake shows which peer answers. The dial makes no connection, so neither side opens a stream. */
  readonly denyOutbound: ConnectionGater['denyOutboundEncryptedConnection'] = (peerId, connection) => {
    const verifying = this.#verifying.get(withoutPeer(connection.remoteAddr).toString())
    if (verifying === undefined) return false
    verifying.peer = peerId.toString()
    return true
  }

  use(node: Node): void {
    this.#node = node
  }

  stop(): void {
    this.#stop.abort(new Error('the network was stopped'))
    for (const timer of this.#waiting.values()) clearTimeout(timer)
    this.#waiting.clear()
    this.#due.clear()
  }

  forget(peer: PeerIdString): void {
    for (const address of this.#verified.get(peer) ?? []) {
      if (this.#owners.get(address) === peer) this.#owners.delete(address)
    }
    this.#verified.delete(peer)
    clearTimeout(this.#waiting.get(peer))
    this.#waiting.delete(peer)
    this.#due.delete(peer)
  }

  /** Records that a dial of this observer authenticated `peer` at `address`. */
  authenticated(peer: PeerIdString, address: Multiaddr): void {
    const bare = withoutPeer(address)
    const key = bare.toString()
    const before = this.#owners.get(key)
    this.#owners.set(key, peer)
    const addresses = this.#verified.get(peer)
    if (addresses === undefined) this.#verified.set(peer, new Set([key]))
    else addresses.add(key)
    if (before === undefined || before === peer) return
    // At an address that is not an own address of the peer, such as a load balancer's, several peers may answer in turn.
    if (this.#book.own(before).some(own => own.toString() === key)) this.#onDisplaced(before, bare)
  }

  /** Schedules a verifying dial of a connected peer, unless one of the peer's own addresses is verified. */
  meet(peer: PeerIdString): void {
    // The peer's own addresses arrive with its record. The network then calls `meet` again.
    if (this.#book.own(peer).length === 0) return
    const many = Math.max(0, this.#connections.peers().length - FEW)
    this.#meetAfter(peer, SETTLE + SPREAD * Math.random() * many, 0)
  }

  async ask(peer: PeerIdString, signal: AbortSignal | undefined): Promise<'refused' | 'unknown'> {
    const addresses = this.#provenAddresses(peer)
    if (addresses.length === 0) return 'unknown'
    const stop = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal])
    for (const pause of ASK_AGAIN) {
      const gone = await Promise.all(
        addresses.map(async address => {
          // Another peer was authenticated at this address, so a TCP connect would be accepted. Find out at once which peer answers.
          if (this.#isTaken(peer, address)) return this.#isGone(peer, address, stop)
          return (await this.#connect(address, stop)) === 'ECONNREFUSED'
        })
      )
      signal?.throwIfAborted()
      if (this.#connections.has(peer)) return 'unknown'
      if (gone.every(isGone => isGone)) return 'refused'
      await delay(pause, stop).catch(() => {})
      signal?.throwIfAborted()
    }
    const gone = await Promise.all(addresses.map(address => this.#isGone(peer, address, stop)))
    signal?.throwIfAborted()
    return gone.every(isGone => isGone) && !this.#connections.has(peer) ? 'refused' : 'unknown'
  }

  /** Returns the peer's own addresses at which a dial of this observer has authenticated the peer. */
  #provenAddresses(peer: PeerIdString): Multiaddr[] {
    const verified = this.#verified.get(peer)
    return verified === undefined ? [] : this.#book.own(peer).filter(address => verified.has(address.toString()))
  }

  /** Whether the last authentication at the address was of another peer. */
  #isTaken(peer: PeerIdString, address: Multiaddr): boolean {
    return this.#owners.get(address.toString()) !== peer
  }

  /** Whether the last authentication at one of the peer's own addresses was of this peer. */
  #isVerified(peer: PeerIdString): boolean {
    return this.#provenAddresses(peer).some(address => !this.#isTaken(peer, address))
  }

  /** Whether the address refuses connections, or another peer answers at the address now. */
  async #isGone(peer: PeerIdString, address: Multiaddr, signal: AbortSignal): Promise<boolean> {
    const error = await this.#connect(address, signal)
    if (error !== undefined) return error === 'ECONNREFUSED'
    const answering = await this.#whoAnswers(address, signal)
    return answering !== undefined && answering !== peer
  }

  #meetAfter(peer: PeerIdString, pause: number, attempt: number): void {
    if (this.#waiting.has(peer) || this.#stop.signal.aborted || this.#isVerified(peer)) return
    const timer = setTimeout(() => {
      this.#waiting.delete(peer)
      this.#due.set(peer, attempt)
      this.#next()
    }, pause)
    this.#waiting.set(peer, timer.unref())
  }

  #next(): void {
    for (const [peer, attempt] of this.#due) {
      if (this.#running >= CONCURRENCY || this.#stop.signal.aborted) return
      this.#due.delete(peer)
      this.#running++
      this.#verify(peer).finally(() => {
        this.#running--
        const pause = AGAIN[attempt]
        if (pause !== undefined && this.#connections.has(peer)) this.#meetAfter(peer, pause, attempt + 1)
        this.#next()
      })
    }
  }

  /** Dials the peer's own addresses one after the other, until a dial authenticates the peer. */
  async #verify(peer: PeerIdString): Promise<void> {
    for (const address of this.#book.own(peer)) {
      if (!this.#connections.has(peer) || this.#isVerified(peer)) return
      const answering = await this.#whoAnswers(address, this.#stop.signal)
      if (answering !== undefined) this.authenticated(answering, address)
    }
  }

  /** Dials exactly this address. Returns the PeerId that the handshake authenticates, or undefined if the dial fails earlier. */
  async #whoAnswers(address: Multiaddr, signal: AbortSignal): Promise<PeerIdString | undefined> {
    const key = address.toString()
    if (this.#node === undefined || this.#verifying.has(key)) return undefined
    const verifying: { peer: PeerIdString | undefined } = { peer: undefined }
    this.#verifying.set(key, verifying)
    try {
      // Dial the address without a PeerId, so that libp2p neither reuses a connection nor joins a dial to another address.
      await this.#node.dial(address, {
        force: true,
        signal: AbortSignal.any([signal, signalAfter(VERIFY_TIMEOUT)])
      })
    } catch {
      // Every verifying dial ends with an error, because the gater ends it. A dial that fails before the gater gives no result.
    } finally {
      this.#verifying.delete(key)
    }
    return verifying.peer
  }

  /** Returns the error code of a TCP connect to the address, or undefined if the connect is accepted. */
  #connect(address: Multiaddr, signal: AbortSignal): Promise<string | undefined> {
    return tcpConnectError(hostAndPort(address), CONNECT_TIMEOUT, signal).catch(() => 'ABORT_ERR')
  }
}
