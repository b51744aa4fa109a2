/**
 * The raw part of the crash fast path (docs/membership.md): asks the kernel of a peer's machine, by TCP connects, whether the peer's process is gone. A refusal
 * counts only at addresses where this observer has itself dialled and authenticated the peer.
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
/** The time limit (ms) of a verifying dial, which finds out which peer answers at an address. */
const VERIFY_TIMEOUT = 5_000
/** The limit of simultaneous verifying dials. */
const CONCURRENCY = 2
/** The pause (ms) between a new connection and the verifying dial, so that the connection's own work comes first. */
const SETTLE = 20
/** The random part of the pause, in ms for each connected peer above the first FEW: peers that start together are busy with handshakes. */
const SPREAD = 150
const FEW = 4
/** The pauses (ms) before the next connect. A dying process closes its sockets one by one, so its port may accept or reset for some ms before it refuses. */
const ASK_AGAIN = [3, 10, 30, 100, 300]
/** The pauses (ms) before the next verifying dials of a peer that has answered at none of its own addresses. */
const AGAIN = [5_000, 20_000, 60_000]

/** Called when a dial of this observer authenticates another peer at `address`, an own address of `peer` at which `peer` was authenticated before. */
export type OnDisplaced = (peer: PeerIdString, address: Multiaddr) => void

export class CrashProbe {
  readonly #connections: Pick<Connections, 'has' | 'peers'>
  readonly #book: AddressBook
  readonly #onDisplaced: OnDisplaced
  /** The addresses, without PeerId, at which a dial of this observer authenticated the peer. */
  readonly #verified = new Map<PeerIdString, Set<string>>()
  /** The peer that was authenticated last at each of these addresses. */
  readonly #owners = new Map<string, PeerIdString>()
  /** The running verifying dials by address, with the peer that answered. */
  readonly #verifying = new Map<string, { peer: PeerIdString | undefined }>()
  /** Peers to verify after a pause. */
  readonly #waiting = new Map<PeerIdString, NodeJS.Timeout>()
  /** Peers whose pause is over, with the number of attempts before. */
  readonly #due = new Map<PeerIdString, number>()
  readonly #stop = new AbortController()
  #running = 0
  #node: Node | undefined

  constructor(connections: Pick<Connections, 'has' | 'peers'>, book: AddressBook, onDisplaced: OnDisplaced) {
    this.#connections = connections
    this.#book = book
    this.#onDisplaced = onDisplaced
  }

  /** Ends a verifying dial as soon as the handshake shows which peer answers. No connection results, so neither side opens a stream. */
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
    // At the address of a service, which is no peer's own address, several peers may answer in turn.
    if (this.#book.own(before).some(own => own.toString() === key)) this.#onDisplaced(before, bare)
  }

  /** Schedules a verifying dial of a connected peer without a verified own address. */
  meet(peer: PeerIdString): void {
    // The peer's own addresses arrive with its record; then `meet` is called again.
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
          // Another peer was authenticated at this address, so a process will accept: find out which peer it is at once.
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

  /** The peer's own addresses at which this observer has authenticated the peer. */
  #provenAddresses(peer: PeerIdString): Multiaddr[] {
    const verified = this.#verified.get(peer)
    return verified === undefined ? [] : this.#book.own(peer).filter(address => verified.has(address.toString()))
  }

  /** Whether another peer was the last to be authenticated at the address. */
  #isTaken(peer: PeerIdString, address: Multiaddr): boolean {
    return this.#owners.get(address.toString()) !== peer
  }

  /** Whether the peer was the last to be authenticated at one of its own addresses. */
  #isVerified(peer: PeerIdString): boolean {
    return this.#provenAddresses(peer).some(address => !this.#isTaken(peer, address))
  }

  /** Whether the address refuses, or another peer answers there now. */
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

  /** Dials the peer's own addresses, one after the other, until the peer is authenticated at one. */
  async #verify(peer: PeerIdString): Promise<void> {
    for (const address of this.#book.own(peer)) {
      if (!this.#connections.has(peer) || this.#isVerified(peer)) return
      const answering = await this.#whoAnswers(address, this.#stop.signal)
      if (answering !== undefined) this.authenticated(answering, address)
    }
  }

  /** Dials exactly this address; returns the PeerId that the handshake authenticates, or undefined. */
  async #whoAnswers(address: Multiaddr, signal: AbortSignal): Promise<PeerIdString | undefined> {
    const key = address.toString()
    if (this.#node === undefined || this.#verifying.has(key)) return undefined
    const verifying: { peer: PeerIdString | undefined } = { peer: undefined }
    this.#verifying.set(key, verifying)
    try {
      // The address has no PeerId, so libp2p neither reuses a connection nor joins a dial to another address.
      await this.#node.dial(address, {
        force: true,
        signal: AbortSignal.any([signal, signalAfter(VERIFY_TIMEOUT)])
      })
    } catch {
      // The gater ends every verifying dial. A dial that failed earlier proves nothing.
    } finally {
      this.#verifying.delete(key)
    }
    return verifying.peer
  }

  /** The error code of a TCP connect to the address; undefined: the connect is accepted. */
  #connect(address: Multiaddr, signal: AbortSignal): Promise<string | undefined> {
    return tcpConnectError(hostAndPort(address), CONNECT_TIMEOUT, signal).catch(() => 'ABORT_ERR')
  }
}
