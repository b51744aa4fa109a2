import type { Multiaddr } from '@multiformats/multiaddr'
import { hostPrefix } from '../host-prefix.ts'
import { hostAndPort } from '../multiaddr.ts'
import type { PeerIdString } from '../types.ts'

/** A peer that mDNS found is dropped when it was not heard of for so long, in ms. */
const EXPIRY = 60_000

interface Heard {
  at: number
  /** Where it says that it is. */
  host: string
  /** Whether it has shown the cluster's key. */
  isProven: boolean
  /** How often it could not be dialled. */
  failures: number
}

/**
 * Peers that only mDNS told of. Anybody on the local network can invent some, without the cluster's key, so there are so many at most. One that was
 * connected once stays. For a new one another gives way: of the host with most of them, or one that could not be dialled. Those that nobody has dialled
 * yet keep their places among equals, so that each gets its turn.
 */
export class DiscoveredPeers {
  readonly #most: number
  readonly #onDropped: (peer: PeerIdString) => void
  readonly #peers = new Map<PeerIdString, Heard>()
  /** Unproven ones of each host. */
  readonly #hosts = new Map<string, number>()

  constructor(most: number, onDropped: (peer: PeerIdString) => void) {
    this.#most = most
    this.#onDropped = onDropped
  }

  /** mDNS told of a peer; whether there is room for it. */
  hear(peer: PeerIdString, [address]: readonly Multiaddr[]): boolean {
    const known = this.#peers.get(peer)
    if (known !== undefined) {
      known.at = Date.now()
      return true
    }
    const host = address === undefined ? '' : hostPrefix(hostAndPort(address).host)
    if (this.#peers.size >= this.#most && !this.#makeRoom(host)) return false
    this.#peers.set(peer, { at: Date.now(), host, isProven: false, failures: 0 })
    this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1)
    return true
  }

  /** It was connected. */
  proven(peer: PeerIdString): void {
    const heard = this.#peers.get(peer)
    if (heard === undefined || heard.isProven) return
    heard.isProven = true
    this.#leave(heard.host)
  }

  /** It could not be dialled. */
  failed(peer: PeerIdString): void {
    const heard = this.#peers.get(peer)
    if (heard !== undefined) heard.failures += 1
  }

  /** How often an unproven peer could not be dialled. */
  failures(peer: PeerIdString): number {
    const heard = this.#peers.get(peer)
    return heard === undefined || heard.isProven ? 0 : heard.failures
  }

  isUnproven(peer: PeerIdString): boolean {
    return this.#peers.get(peer)?.isProven === false
  }

  isExpired(peer: PeerIdString): boolean {
    const heard = this.#peers.get(peer)
    return heard !== undefined && Date.now() - heard.at > EXPIRY
  }

  delete(peer: PeerIdString): void {
    const heard = this.#peers.get(peer)
    if (heard === undefined) return
    this.#peers.delete(peer)
    if (!heard.isProven) this.#leave(heard.host)
  }

  /** Drops one for a new one of that host, if there is one to drop. */
  #makeRoom(host: string): boolean {
    const others = this.#hosts.get(host) ?? 0
    let [chosen, most]: [PeerIdString | undefined, number] = [undefined, 0]
    for (const [peer, heard] of this.#peers) {
      if (heard.isProven) continue
      const count = this.#hosts.get(heard.host) ?? 0
      if (heard.failures === 0 && count <= others + 1) continue
      // One that has failed counts for more than any other of the same host.
      const weight = 2 * count + Number(heard.failures > 0)
      if (weight > most) [chosen, most] = [peer, weight]
    }
    if (chosen === undefined) return false
    this.delete(chosen)
    this.#onDropped(chosen)
    return true
  }

  #leave(host: string): void {
    const left = (this.#hosts.get(host) ?? 0) - 1
    if (left > 0) this.#hosts.set(host, left)
    else this.#hosts.delete(host)
  }
}
