import type { Multiaddr } from '@multiformats/multiaddr'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { withoutPeer } from '../multiaddr.ts'

/** The limit of remembered keys, above the number of connections. */
const MOST_CONNECTIONS = 20_000

/**
 * The key of each connection, by the other side's address. The address is the only value that libp2p carries from the handshake to the connection.
 */
export class KeysInUse {
  readonly #keys = new BoundedMap<string, string>(MOST_CONNECTIONS)

  add(address: Multiaddr, keyId: string): void {
    this.#keys.set(withoutPeer(address).toString(), keyId)
  }

  delete(address: Multiaddr): void {
    this.#keys.delete(withoutPeer(address).toString())
  }

  /** The id of the connection's key; undefined: the key is unknown. */
  get(address: Multiaddr): string | undefined {
    return this.#keys.get(withoutPeer(address).toString())
  }
}
