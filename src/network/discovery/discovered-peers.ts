import type { Multiaddr } from '@multiformats/multiaddr'
import { hostPrefix } from '../host-prefix.ts'
import { hostAndPort } from '../multiaddr.ts'
import type { PeerIdString } from '../types.ts'

/** The time (ms) after which a peer is dropped unless mDNS announces the peer again. */
const EXPIRY = 60_000

interface Discovered {
  /** The time of the last mDNS announcement. */
  at: number
  /** The host of the peer's first address. */
  host: string
  /** Whether the peer has been connected. A connection proves that the peer has the cluster's key. */
  isProven: boolean
  /** The number of failed dials. */
  failures: number
}

/**
 * Peers that are known only from mDNS. Any host of the local network can announce peers that do not exist, so the number of peers is limited. A proven
 * peer is never replaced. A new peer replaces an unproven peer of the host with the most peers, or a peer that could not be dialled. An undialled peer
 * is not replaced if its host has no more peers than the new peer's host, so that each host gets its turn.
 */
export class DiscoveredPeers {
  readonly #most: number
  readonly #onDropped: (peer: PeerIdString) => void
  readonly #peers = new Map<PeerIdString, Discovered>()

  constructor(most: number, onDropped: (peer: PeerIdString) => void) {
    this.#most = most
    this.#onDropped = onDropped
  }

  /** Adds a peer that mDNS announced. Returns false if there is no room for the peer. */
  add(peer: PeerIdString, [address]: readonly Multiaddr[]): boolean {
    const known = this.#peers.get(peer)
    if (known !== undefined) {
      known.at = Date.now()
      return true
    }
    const host = address === undefined ? '' : hostPrefix(hostAndPort(address).host)
    if (this.#peers.size >= this.#most && !this.#makeRoom(host)) return false
    this.#peers.set(peer, { at: Date.now(), host, isProven: false, failures: 0 })
    return true
  }

  /** Records that the peer has been connected. */
  prove(peer: PeerIdString): void {
    const known = this.#peers.get(peer)
    if (known !== undefined) known.isProven = true
  }

  /** Records that the peer could not be dialled. */
  fail(peer: PeerIdString): void {
    const known = this.#peers.get(peer)
    if (known !== undefined) known.failures += 1
  }

  /** Returns the number of failed dials of an unproven peer. */
  failures(peer: PeerIdString): number {
    const known = this.#peers.get(peer)
    return known === undefined || known.isProven ? 0 : known.failures
  }

  isUnproven(peer: PeerIdString): boolean {
    return this.#peers.get(peer)?.isProven === false
  }

  isExpired(peer: PeerIdString): boolean {
    const known = this.#peers.get(peer)
    return known !== undefined && Date.now() - known.at > EXPIRY
  }

  delete(peer: PeerIdString): void {
    this.#peers.delete(peer)
  }

  /** Drops a peer in favour of a new peer of `host`. Returns false if no peer may be dropped. */
  #makeRoom(host: string): boolean {
    const unproven = [...this.#peers].filter(([, { isProven }]) => !isProven)
    const counts = new Map<string, number>()
    for (const [, { host }] of unproven) counts.set(host, (counts.get(host) ?? 0) + 1)
    let [chosen, most]: [PeerIdString | undefined, number] = [undefined, 0]
    for (const [peer, { host: its, failures }] of unproven) {
      const count = counts.get(its) ?? 0
      if (failures === 0 && count <= (counts.get(host) ?? 0) + 1) continue
      // A peer that could not be dialled is dropped before the other peers of its host.
      const weight = 2 * count + Number(failures > 0)
      if (weight > most) [chosen, most] = [peer, weight]
    }
    if (chosen === undefined) return false
    this.delete(chosen)
    this.#onDropped(chosen)
    return true
  }
}
