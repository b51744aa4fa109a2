import type { Multiaddr } from '@multiformats/multiaddr'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { withoutPeer } from '../multiaddr.ts'

/** The limit of remembered keys. The limit exceeds the limit of connections. */
const MOST_CONNECTIONS = 20_000

/**
 * The key of each connection, by the address of the other side. libp2p passes only this address from the handshake to the connection.
 */
export class KeysInUse {
  readonly #keys = new BoundedMap<string, string>(MOST_CONNECTIONS)

  add(address: Multiaddr, keyId: string): void {
    this.#keys.set(withoutPeer(address).toString(), keyId)
  }

  delete(address: Multiaddr): void {
    this.#keys.delete(withoutPeer(address).toString())
  }

  /** Returns the id of the connection's key, or undefined if the key is unknown. */
  get(address: Multiaddr): string | undefined {
    return this.#keys.get(withoutPeer(address).toString())
  }
}
