import { isIP } from 'node:net'
import type { Multiaddr } from '@multiformats/multiaddr'
import { DEFAULT_LIMITS, type Limits } from '../../common/limits.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { hostId } from '../host-id.ts'
import { hostAndPort, isLoopback, tryMultiaddr, withoutPeer } from '../multiaddr.ts'
import type { PeerIdString } from '../types.ts'

interface Entry {
  /** The addresses from the peer's own signed record. */
  announced: Map<string, Multiaddr>
  /** The addresses that mDNS found, or at which a dial of this observer reached the peer. The oldest address is dropped first. */
  found: BoundedMap<string, Multiaddr>
  /** The {@link hostId} that the peer announced. */
  host: string | undefined
}

/** The known addresses of other peers. The book stores addresses without `/p2p/<id>`. */
export class AddressBook {
  readonly #entries = new Map<PeerIdString, Entry>()
  readonly #host = hostId()
  /** The limit of addresses of one peer. Further addresses that a hostile peer announces are ignored. */
  readonly #most: number

  constructor(limits: Pick<Limits, 'addresses'> = DEFAULT_LIMITS) {
    this.#most = limits.addresses
  }

  /** Replaces the addresses that the peer itself announced. */
  announce(peer: PeerIdString, addresses: string[], host: string | undefined): void {
    const entry = this.#entry(peer)
    entry.host = host
    entry.announced = new Map()
    const parsed = addresses.slice(0, this.#most).flatMap(text => tryMultiaddr(text) ?? [])
    for (const address of parsed.map(withoutPeer)) entry.announced.set(address.toString(), address)
  }

  /** Adds addresses that the peer has not announced in its record. */
  find(peer: PeerIdString, addresses: Multiaddr[]): void {
    const { found } = this.#entry(peer)
    for (const address of addresses.map(withoutPeer)) found.set(address.toString(), address)
  }

  forget(peer: PeerIdString): void {
    this.#entries.delete(peer)
  }

  /** Returns the addresses to dial, the most likely address first. Includes a loopback address only if it can be the peer's own. */
  toDial(peer: PeerIdString): Multiaddr[] {
    const entry = this.#entries.get(peer)
    if (entry === undefined) return []
    const all = [...new Map([...entry.announced, ...entry.found]).values()]
    if (this.#sameHost(entry)) return all.sort((a, b) => Number(isLoopback(b)) - Number(isLoopback(a)))
    const usable = entry.host === undefined ? all : all.filter(address => !isLoopback(address))
    return usable.sort((a, b) => Number(isLoopback(a)) - Number(isLoopback(b)))
  }

  /**
   * Returns the announced addresses of the peer's own interfaces. Only a refusal at these addresses shows that the peer's process has ended.
   * A loopback address is the peer's own only on the same machine, boot and network namespace.
   */
  own(peer: PeerIdString): Multiaddr[] {
    const entry = this.#entries.get(peer)
    if (entry === undefined) return []
    return [...entry.announced.values()].filter(
      address => isIP(hostAndPort(address).host) !== 0 && (!isLoopback(address) || this.#sameHost(entry))
    )
  }

  #sameHost(entry: Entry): boolean {
    return entry.host !== undefined && entry.host !== '' && entry.host === this.#host
  }

  #entry(peer: PeerIdString): Entry {
    const entry = this.#entries.get(peer) ?? {
      announced: new Map(),
      found: new BoundedMap(this.#most),
      host: undefined
    }
    this.#entries.set(peer, entry)
    return entry
  }
}
