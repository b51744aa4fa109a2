import type { MultiaddrConnection } from '@libp2p/interface'
import type { Multiaddr } from '@multiformats/multiaddr'
import { P2pWorkerError } from '../../common/errors.ts'
import { hostPrefix } from '../host-prefix.ts'
import { hostAndPort, withoutPeer } from '../multiaddr.ts'

/** The limit of simultaneous inbound handshakes. A cluster that starts behind one address needs far fewer. */
export const MOST_HANDSHAKES = 1_000

type Pending = Pick<MultiaddrConnection, 'remoteAddr' | 'abort' | 'addEventListener'>

/**
 * Inbound connections whose handshake has not finished. Any host can open many connections and send nothing. So above the limit, the host with the most
 * connections loses its oldest connection. Such a host cannot block other hosts, and its newest connections can still finish.
 */
export class PendingHandshakes {
  readonly #most: number
  readonly #onEvicted: (host: string) => void
  /** The pending connections by host, oldest first. */
  readonly #pending = new Map<string, Set<Pending>>()
  #count = 0

  constructor(onEvicted: (host: string) => void, most = MOST_HANDSHAKES) {
    this.#onEvicted = onEvicted
    this.#most = most
  }

  /** Adds an inbound connection. */
  add(connection: Pending): void {
    const host = hostPrefix(hostAndPort(connection.remoteAddr).host)
    const those = this.#pending.get(host)
    if (those === undefined) this.#pending.set(host, new Set([connection]))
    else those.add(connection)
    this.#count += 1
    connection.addEventListener('close', () => this.#remove(host, connection), { once: true })
    if (this.#count > this.#most) this.#evict()
  }

  /** Removes the connection from this address when the handshake has finished. The address may end with a PeerId. */
  finish(remote: Multiaddr): void {
    const address = withoutPeer(remote)
    const host = hostPrefix(hostAndPort(address).host)
    for (const connection of this.#pending.get(host) ?? []) {
      if (!connection.remoteAddr.equals(address)) continue
      this.#remove(host, connection)
      return
    }
  }

  #evict(): void {
    let [most, host] = [0, '']
    for (const [each, { size }] of this.#pending) if (size > most) [most, host] = [size, each]
    const [oldest] = this.#pending.get(host) ?? []
    if (oldest === undefined) return
    this.#remove(host, oldest)
    this.#onEvicted(host)
    oldest.abort(new P2pWorkerError(`there are ${this.#most} other handshakes, most of them with ${host}`))
  }

  #remove(host: string, connection: Pending): void {
    const those = this.#pending.get(host)
    if (those?.delete(connection) !== true) return
    this.#count -= 1
    if (those.size === 0) this.#pending.delete(host)
  }
}
