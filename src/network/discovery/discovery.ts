import type { Multiaddr } from '@multiformats/multiaddr'
import { P2pWorkerError } from '../../common/errors.ts'
import { DEFAULT_LIMITS, type Limits } from '../../common/limits.ts'
import { delay, orAborted } from '../../lib/abort.ts'
import { Backoff } from '../../lib/backoff.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { peerOf, tryMultiaddr, withoutPeer } from '../multiaddr.ts'
import type { PeerIdString } from '../types.ts'
import type { AddressBook } from './address-book.ts'
import type { Dialer } from './dialer.ts'
import { DiscoveredPeers } from './discovered-peers.ts'

/** The first and the longest pause (ms) between dials of a bootstrap address, or of a peer that mDNS found. */
const FAST_RETRY = [200, 10_000] as const
/** The first and the longest pause (ms) between dials of a member. By these dials, the halves of a partitioned cluster find each other again. */
const SLOW_RETRY = [2_000, 15_000] as const
/** The limit of simultaneous first dials of unproven peers. */
const FIRST_DIALS = 12
/** The limit of simultaneous further dials of unproven peers. */
const AGAIN_DIALS = 4
/** The time (ms) after which a dial of an unproven peer tries no further address. */
const UNPROVEN_TURN = 2_000
/** The time limit (ms) of an unproven peer's turn. The limit is longer than UNPROVEN_TURN plus one handshake. */
const UNPROVEN_LONGEST = 30_000
/** The time (ms) for which this peer still dials addresses of an earlier run after it has met a member. */
const REMEMBERED_FOR = 600_000
/** The duration (ms) above which a connection resets the pauses between attempts. */
const LASTING = 1_000

/** The part of the network that discovery needs. */
export interface DiscoveryHost {
  readonly self: PeerIdString
  /** Whether other peers can dial this peer. */
  readonly reachable: boolean
  isConnected(peer: PeerIdString): boolean
  /** Whether a member is pinned, and so stays connected. */
  isPinned(peer: PeerIdString): boolean
  /** Resolves when the last connection to `peer` has closed. */
  disconnected(peer: PeerIdString, signal: AbortSignal): Promise<void>
}

/**
 * Keeps peers connected, because libp2p dials no peer by itself. Dials bootstrap addresses and peers found by mDNS with short pauses, and members with
 * longer pauses (healing), for as long as this peer runs.
 */
export class Discovery {
  readonly #host: DiscoveryHost
  readonly #book: AddressBook
  readonly #dialer: Dialer
  readonly #stop = new AbortController()
  /** The controllers of the loops that keep each peer connected. `forget` aborts the loop of a peer. */
  readonly #keeping = new Map<PeerIdString, AbortController>()
  readonly #connecting = new Map<PeerIdString, Promise<void>>()
  /** The limit of simultaneous dials of members. Handshakes take CPU time when this peer meets a large cluster. */
  readonly #dials = new Semaphore(3, 500)
  /** The separate limit of simultaneous dials of unproven peers, so that peers that do not exist cannot delay the dials of members. */
  readonly #unproven = new Semaphore(3, 500)
  readonly #firstDials = new Semaphore(FIRST_DIALS, UNPROVEN_LONGEST)
  readonly #laterDials = new Semaphore(AGAIN_DIALS, UNPROVEN_LONGEST)
  /** The peers that are known only from mDNS. */
  readonly #discovered: DiscoveredPeers
  /** The members. A member does not expire when mDNS no longer announces it. */
  readonly #learnt = new Set<PeerIdString>()

  constructor(host: DiscoveryHost, book: AddressBook, dialer: Dialer, limits: Pick<Limits, 'heard'> = DEFAULT_LIMITS) {
    this.#host = host
    this.#book = book
    this.#dialer = dialer
    this.#discovered = new DiscoveredPeers(limits.heard, peer => this.forget(peer))
  }

  /** Dials an address until this peer stops. Pauses while the peer that answers at the address is connected. */
  bootstrap(address: Multiaddr): void {
    void this.#run(this.#stop.signal, async signal => {
      const backoff = new Backoff(...FAST_RETRY)
      let peer = peerOf(address)
      for (;;) {
        if (peer !== undefined && this.#host.isConnected(peer)) {
          const since = Date.now()
          await this.#host.disconnected(peer, signal)
          if (Date.now() - since >= LASTING) backoff.reset()
          else await backoff.wait(signal)
        }
        if (peer !== undefined && this.#isSpare(peer)) {
          await backoff.wait(signal)
          continue
        }
        const result = await this.#dialer.dial(address, signal)
        if (result.outcome === 'self') return
        if (result.outcome === 'connected') {
          // The peer has restarted with another identity. If the old identity was not a member, no other event shows that the old identity has ended.
          if (peer !== undefined && peer !== result.peer && !this.#keeping.has(peer) && !this.#learnt.has(peer))
            this.forget(peer)
          peer = result.peer
          this.#book.find(peer, [address])
        }
        if (peer === undefined || !this.#host.isConnected(peer)) await backoff.wait(signal)
      }
    })
  }

  /**
   * Dials an address from an earlier run. Unlike a bootstrap address, such an address may be out of date. The dials end when the address's peer is a member, or
   * REMEMBERED_FOR after this peer has met any member. They do not end at once, because the first member that this peer meets may know no other member.
   */
  remembered(address: Multiaddr): void {
    void this.#run(this.#stop.signal, async signal => {
      const backoff = new Backoff(...FAST_RETRY)
      let current = address
      let metAt: number | undefined
      for (;;) {
        const peer = peerOf(current)
        // Stop dialling this address: the loop that `learnt` started keeps a member connected.
        if (peer !== undefined && this.#learnt.has(peer)) return
        if (peer === undefined || !this.#host.isConnected(peer)) {
          const release = await this.#dials.acquire(signal)
          const result = await this.#dialer.dial(current, signal).finally(release)
          if (result.outcome === 'self') return
          // Another identity answers at this address. The handshake of the next dial shows whether that peer belongs to the cluster.
          if (result.outcome === 'other-peer') current = withoutPeer(address)
          else if (result.outcome === 'connected') current = withoutPeer(address).encapsulate(`/p2p/${result.peer}`)
          else current = address
          if (result.outcome === 'other-peer') continue
        }
        metAt = this.#knowsAnybody() ? (metAt ?? Date.now()) : undefined
        if (metAt !== undefined && Date.now() - metAt > REMEMBERED_FOR) return
        await backoff.wait(signal)
      }
    })
  }

  /** Starts a loop that keeps a peer connected that mDNS found. */
  found(peer: PeerIdString, addresses: Multiaddr[]): void {
    if (peer === this.#host.self) return
    const usable = addresses.filter(address => tryMultiaddr(address.toString()) !== undefined)
    if (usable.length === 0) return
    if (!this.#learnt.has(peer) && !this.#discovered.add(peer, usable)) return
    this.#book.find(peer, usable)
    if (!this.#isSpare(peer)) this.#keep(peer, FAST_RETRY, 0)
  }

  /** Starts a loop that keeps a member connected if the member is pinned. The addresses of the member must be known. */
  learnt(peer: PeerIdString): void {
    if (peer === this.#host.self) return
    this.#learnt.add(peer)
    this.#discovered.delete(peer)
    if (this.#isSpare(peer)) this.#letGo(peer)
    else this.#keepMember(peer)
  }

  /** Starts and ends loops after a change of the pinned peers. */
  reconsider(): void {
    for (const peer of this.#learnt) {
      if (this.#host.isPinned(peer)) this.#keepMember(peer)
      else this.#letGo(peer)
    }
  }

  isMember(peer: PeerIdString): boolean {
    return this.#learnt.has(peer)
  }

  #keepMember(peer: PeerIdString): void {
    if (!this.#host.isPinned(peer)) return
    // Both peers learn of each other at about the same time. One peer dials earlier, so that the two peers do not open two connections.
    const pause = this.#host.self < peer || !this.#host.reachable ? 50 : 2_000
    this.#keep(peer, SLOW_RETRY, pause * (1 + Math.random()))
  }

  forget(peer: PeerIdString): void {
    this.#letGo(peer)
    this.#discovered.delete(peer)
    this.#learnt.delete(peer)
    this.#book.forget(peer)
  }

  /** Connects to a peer whose addresses are known. Simultaneous callers share one attempt. */
  async connect(peer: PeerIdString, signal: AbortSignal, dialSignal = this.#stop.signal): Promise<void> {
    if (this.#host.isConnected(peer)) return
    let attempt = this.#connecting.get(peer)
    if (attempt === undefined) {
      attempt = this.#attempt(peer, dialSignal).finally(() => this.#connecting.delete(peer))
      attempt.catch(() => {})
      this.#connecting.set(peer, attempt)
    }
    await orAborted(attempt, signal)
  }

  stop(): void {
    this.#stop.abort(new P2pWorkerError('the network was stopped'))
    for (const controller of this.#keeping.values()) controller.abort(this.#stop.signal.reason)
    this.#keeping.clear()
  }

  async #attempt(peer: PeerIdString, signal: AbortSignal): Promise<void> {
    const addresses = this.#inTurn(peer, this.#book.toDial(peer))
    const outcomes: string[] = []
    const began = Date.now()
    for (const address of addresses) {
      if (outcomes.length > 0 && this.#discovered.isUnproven(peer) && Date.now() - began > UNPROVEN_TURN) break
      const result = await this.#dialer.dial(address.encapsulate(`/p2p/${peer}`), signal)
      signal.throwIfAborted()
      if (result.outcome === 'connected' || this.#host.isConnected(peer)) return
      outcomes.push(`${address}: ${result.error.message}`)
    }
    const why = outcomes.length === 0 ? 'no address of it is known' : outcomes.join('; ')
    throw new P2pWorkerError(`could not connect to ${peer} (${why})`)
  }

  /** Returns the addresses for an unproven peer's turn. Each turn begins with the next address, so that each address is the first in some turn. */
  #inTurn(peer: PeerIdString, addresses: Multiaddr[]): Multiaddr[] {
    const first = this.#discovered.failures(peer) % Math.max(1, addresses.length)
    return [...addresses.slice(first), ...addresses.slice(0, first)]
  }

  /** Ends the loop that keeps a peer connected. */
  #letGo(peer: PeerIdString): void {
    this.#keeping.get(peer)?.abort(new P2pWorkerError(`${peer} need not stay connected`))
    this.#keeping.delete(peer)
  }

  /** Whether a member need not stay connected: the member is not pinned, and some other member is connected. */
  #isSpare(peer: PeerIdString): boolean {
    return this.#learnt.has(peer) && !this.#host.isPinned(peer) && this.#knowsAnybody()
  }

  /** Whether any member is connected. Clients do not count, and neither do peers whose table has not arrived yet. */
  #knowsAnybody(): boolean {
    return [...this.#learnt].some(peer => this.#host.isConnected(peer))
  }

  /** Starts the loop that keeps a peer connected, unless the loop is running. */
  #keep(peer: PeerIdString, retry: readonly [number, number], firstPause: number): void {
    if (this.#keeping.has(peer) || this.#stop.signal.aborted) return
    const controller = new AbortController()
    this.#keeping.set(peer, controller)
    void this.#run(controller.signal, async signal => {
      const backoff = new Backoff(...retry)
      await delay(firstPause, signal)
      for (;;) {
        if (this.#host.isConnected(peer)) {
          this.#discovered.prove(peer)
          const since = Date.now()
          await this.#host.disconnected(peer, signal)
          if (Date.now() - since >= LASTING) backoff.reset()
          await backoff.wait(signal)
          continue
        }
        if (this.#discovered.isExpired(peer)) {
          this.forget(peer)
          return
        }
        if (this.#discovered.isUnproven(peer)) await this.#dialUnproven(peer, signal)
        else await this.#dialKnown(peer, signal)
        if (this.#host.isConnected(peer)) continue
        this.#discovered.fail(peer)
        await backoff.wait(signal)
      }
    })
  }

  async #dialKnown(peer: PeerIdString, signal: AbortSignal): Promise<void> {
    const release = await this.#dials.acquire(signal)
    await this.connect(peer, signal)
      .catch(() => {})
      .finally(release)
  }

  /** Dials an unproven peer. The dial ends when another peer replaces this peer: a hanging dial would occupy one of libp2p's dial slots. */
  async #dialUnproven(peer: PeerIdString, signal: AbortSignal): Promise<void> {
    const dials = this.#discovered.failures(peer) === 0 ? this.#firstDials : this.#laterDials
    const release = await dials.acquire(signal)
    try {
      const releaseFirst = await this.#unproven.acquire(signal)
      await this.connect(peer, signal, signal)
        .catch(() => {})
        .finally(releaseFirst)
    } finally {
      release()
    }
  }

  /** Runs a loop that ends only by its signal. */
  async #run(signal: AbortSignal, loop: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await loop(signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}
