import type { Multiaddr } from '@multiformats/multiaddr'
import { withoutPeer } from '../multiaddr.ts'

/** More than there are connections. Of the oldest beyond these the key is not known any more. */
const MOST_CONNECTIONS = 20_000

/**
 * With which key each connection was made. libp2p does not carry that from the handshake to the connection, which have the address of
 * the other side in common.
 */
export class KeysInUse {
  readonly #keys = new Map<string, string>()

  made(address: Multiaddr, keyId: string): void {
    const at = placeOf(address)
    this.#keys.delete(at)
    this.#keys.set(at, keyId)
    const [oldest] = this.#keys.keys()
    if (this.#keys.size > MOST_CONNECTIONS && oldest !== undefined) this.#keys.delete(oldest)
  }

  ended(address: Multiaddr): void {
    this.#keys.delete(placeOf(address))
  }

  /** The id of the key; undefined where it is not known. */
  of(address: Multiaddr): string | undefined {
    return this.#keys.get(placeOf(address))
  }
}

function placeOf(address: Multiaddr): string {
  return withoutPeer(address).toString()
}
