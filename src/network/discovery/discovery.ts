import type { Multiaddr } from '@multiformats/multiaddr'
import { P2pWorkerError } from '../../common/errors.ts'
import { DEFAULT_LIMITS, type Limits } from '../../common/limits.ts'
import { Backoff, Turnstile } from '../../lib/backoff.ts'
import { delay, withSignal } from '../../lib/wait.ts'
import { peerOf, tryMultiaddr, withoutPeer } from '../multiaddr.ts'
import type { PeerIdString } from '../types.ts'
import type { AddressBook } from './address-book.ts'
import type { Dialer } from './dialer.ts'
import { DiscoveredPeers } from './discovered-peers.ts'

/** For addresses that somebody hopes to find a peer at right now, in ms. */
const FAST_RETRY = [200, 10_000] as const
/** For peers that were known once: two halves of a cluster that was cut find each other again. */
const SLOW_RETRY = [2_000, 15_000] as const
/** Peers that only mDNS told of are dialled so many at a time: those that nobody has dialled yet, and apart from them, those that could not be. */
const FIRST_DIALS = 12
const AGAIN_DIALS = 4
/** A dial of such a peer takes none of its further addresses after so long, in ms: one that does not answer is the last of its turn. */
const UNPROVEN_TURN = 2_000
/** Longer than such a turn with its last handshake, in ms. */
const UNPROVEN_LONGEST = 30_000
/** Who remembers addresses of an earlier run goes on dialling them for so long after it has met a member, in ms. */
const REMEMBERED_FOR = 600_000
/** A connection that closed sooner than this, in ms, does not make the pauses before the next attempts short again. */
const LASTING = 1_000

/** What discovery needs of the network. */
export interface DiscoveryHost {
  readonly self: PeerIdString
  /** Whether others can dial this peer. */
  readonly reachable: boolean
  isConnected(peer: PeerIdString): boolean
  /** Whether a member is to stay connected. */
  isPinned(peer: PeerIdString): boolean
  /** Resolves when the last connection to `peer` has closed. */
  disconnected(peer: PeerIdString, signal: AbortSignal): Promise<void>
}

/**
 * Dials what is to be connected, since libp2p dials nothing by itself: bootstrap addresses and peers found by mDNS with a
 * quick retry, peers that were learnt with a slow one (healing), for as long as this peer runs.
 */
export class Discovery {
  readonly #host: DiscoveryHost
  readonly #book: AddressBook
  readonly #dialer: Dialer
  readonly #stop = new AbortController()
  /** The loops that keep each peer connected; aborted by `forget`. */
  readonly #keeping = new Map<PeerIdString, AbortController>()
  readonly #connecting = new Map<PeerIdString, Promise<void>>()
  /** Handshakes are work: a peer that meets a cluster of many does not begin them all at once. */
  readonly #turnstile = new Turnstile(3, 500)
  /** The same for peers that may be invented, so that these do not keep known ones waiting. */
  readonly #unproven = new Turnstile(3, 500)
  readonly #firstDials = new Turnstile(FIRST_DIALS, UNPROVEN_LONGEST)
  readonly #laterDials = new Turnstile(AGAIN_DIALS, UNPROVEN_LONGEST)
  /** Peers that are known by nothing but mDNS. */
  readonly #heard: DiscoveredPeers
  /** Peers that announced themselves: they never expire, whatever mDNS says of them. */
  readonly #learnt = new Set<PeerIdString>()

  constructor(host: DiscoveryHost, book: AddressBook, dialer: Dialer, limits: Pick<Limits, 'heard'> = DEFAULT_LIMITS) {
    this.#host = host
    this.#book = book
    this.#dialer = dialer
    this.#heard = new DiscoveredPeers(limits.heard, peer => this.forget(peer))
  }

  /** Keeps dialling an address until this peer stops; quiet while connected to the peer that answers there. */
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
          // Started anew with another identity: nothing else tells that the one before is gone, where it was no member.
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
   * An address from an earlier run. Unlike a bootstrap address it may be out of date: it is dialled until its peer is learnt as
   * a member, else for as long as this peer knows no member, and for a while after: whoever was found first may have
   * forgotten the others.
   */
  remembered(address: Multiaddr): void {
    void this.#run(this.#stop.signal, async signal => {
      const backoff = new Backoff(...FAST_RETRY)
      let current = address
      let metAt: number | undefined
      for (;;) {
        const peer = peerOf(current)
        // A member is kept connected anyway.
        if (peer !== undefined && this.#learnt.has(peer)) return
        if (peer === undefined || !this.#host.isConnected(peer)) {
          const leave = await this.#turnstile.enter(signal)
          const result = await this.#dialer.dial(current, signal).finally(leave)
          if (result.outcome === 'self') return
          // Started anew without its identity, or another peer of that machine. The handshake tells whether it is of the cluster.
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

  /** A peer that mDNS found. */
  found(peer: PeerIdString, addresses: Multiaddr[]): void {
    if (peer === this.#host.self) return
    const usable = addresses.filter(address => tryMultiaddr(address.toString()) !== undefined)
    if (usable.length === 0) return
    if (!this.#learnt.has(peer) && !this.#heard.hear(peer, usable)) return
    this.#book.find(peer, usable)
    if (!this.#isSpare(peer)) this.#keep(peer, FAST_RETRY, 0)
  }

  /** A peer whose addresses were learnt. */
  learnt(peer: PeerIdString): void {
    if (peer === this.#host.self) return
    this.#learnt.add(peer)
    this.#heard.delete(peer)
    if (this.#isSpare(peer)) this.#letGo(peer)
    else this.#keepMember(peer)
  }

  /** Other members than before are to stay connected. */
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
    // Both sides learn of each other at about the same time: one begins, so that they don't open two connections.
    const pause = this.#host.self < peer || !this.#host.reachable ? 50 : 2_000
    this.#keep(peer, SLOW_RETRY, pause * (1 + Math.random()))
  }

  forget(peer: PeerIdString): void {
    this.#letGo(peer)
    this.#heard.delete(peer)
    this.#learnt.delete(peer)
    this.#book.forget(peer)
  }

  /** Connects to a peer whose addresses are known; callers at the same time share one attempt. */
  async connect(peer: PeerIdString, signal: AbortSignal, dialSignal = this.#stop.signal): Promise<void> {
    if (this.#host.isConnected(peer)) return
    let attempt = this.#connecting.get(peer)
    if (attempt === undefined) {
      attempt = this.#attempt(peer, dialSignal).finally(() => this.#connecting.delete(peer))
      attempt.catch(() => {})
      this.#connecting.set(peer, attempt)
    }
    await withSignal(attempt, signal)
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
      if (outcomes.length > 0 && this.#heard.isUnproven(peer) && Date.now() - began > UNPROVEN_TURN) break
      const result = await this.#dialer.dial(address.encapsulate(`/p2p/${peer}`), signal)
      signal.throwIfAborted()
      if (result.outcome === 'connected' || this.#host.isConnected(peer)) return
      outcomes.push(`${address}: ${result.error.message}`)
    }
    const why = outcomes.length === 0 ? 'no address of it is known' : outcomes.join('; ')
    throw new P2pWorkerError(`could not connect to ${peer} (${why})`)
  }

  /** An unproven peer's turn begins one address after its last one, so that each address comes first in time. */
  #inTurn(peer: PeerIdString, addresses: Multiaddr[]): Multiaddr[] {
    const first = this.#heard.failures(peer) % Math.max(1, addresses.length)
    return [...addresses.slice(first), ...addresses.slice(0, first)]
  }

  /** Ends the loop that keeps a peer connected. */
  #letGo(peer: PeerIdString): void {
    this.#keeping.get(peer)?.abort(new P2pWorkerError(`${peer} need not stay connected`))
    this.#keeping.delete(peer)
  }

  /** A member of a large cluster that need not stay connected, since others are. */
  #isSpare(peer: PeerIdString): boolean {
    return this.#learnt.has(peer) && !this.#host.isPinned(peer) && this.#knowsAnybody()
  }

  /** Whether a member is connected; clients, and strangers whose table has not come yet, are none. */
  #knowsAnybody(): boolean {
    return [...this.#learnt].some(peer => this.#host.isConnected(peer))
  }

  /** Starts to keep a peer connected, unless that is being done. */
  #keep(peer: PeerIdString, retry: readonly [number, number], firstPause: number): void {
    if (this.#keeping.has(peer) || this.#stop.signal.aborted) return
    const controller = new AbortController()
    this.#keeping.set(peer, controller)
    void this.#run(controller.signal, async signal => {
      const backoff = new Backoff(...retry)
      await delay(firstPause, signal)
      for (;;) {
        if (this.#host.isConnected(peer)) {
          this.#heard.proven(peer)
          const since = Date.now()
          await this.#host.disconnected(peer, signal)
          if (Date.now() - since >= LASTING) backoff.reset()
          await backoff.wait(signal)
          continue
        }
        if (this.#heard.isExpired(peer)) {
          this.forget(peer)
          return
        }
        if (this.#heard.isUnproven(peer)) await this.#dialUnproven(peer, signal)
        else await this.#dialKnown(peer, signal)
        if (this.#host.isConnected(peer)) continue
        this.#heard.failed(peer)
        await backoff.wait(signal)
      }
    })
  }

  async #dialKnown(peer: PeerIdString, signal: AbortSignal): Promise<void> {
    const leave = await this.#turnstile.enter(signal)
    await this.connect(peer, signal)
      .catch(() => {})
      .finally(leave)
  }

  /** Such a dial ends when its peer is dropped for another: what hangs takes libp2p's places. */
  async #dialUnproven(peer: PeerIdString, signal: AbortSignal): Promise<void> {
    const dials = this.#heard.failures(peer) === 0 ? this.#firstDials : this.#laterDials
    const leave = await dials.enter(signal)
    try {
      const leaveFirst = await this.#unproven.enter(signal)
      await this.connect(peer, signal, signal)
        .catch(() => {})
        .finally(leaveFirst)
    } finally {
      leave()
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
