import { isIP } from 'node:net'
import type { MultiaddrConnection } from '@libp2p/interface'
import type { Multiaddr } from '@multiformats/multiaddr'
import { P2pWorkerError } from '../../common/errors.ts'
import { hostAndPort, withoutPeer } from '../multiaddr.ts'

/** Inbound handshakes at a time: many times what a cluster needs that starts behind one address. */
export const MOST_HANDSHAKES = 1_000

type Pending = Pick<MultiaddrConnection, 'remoteAddr' | 'abort' | 'addEventListener'>

/**
 * Inbound connections whose handshake is not over. Anybody can begin as many as it likes and say nothing on them, so when there are too many the host
 * that has most of them loses its oldest: hosts with few are not held up by one with many, and of that one the newest have their chance.
 */
export class PendingHandshakes {
  readonly #most: number
  readonly #onEvicted: (host: string) => void
  /** By host, oldest first. */
  readonly #pending = new Map<string, Set<Pending>>()
  #count = 0

  constructor(onEvicted: (host: string) => void, most = MOST_HANDSHAKES) {
    this.#onEvicted = onEvicted
    this.#most = most
  }

  /** A connection has come in. */
  begun(connection: Pending): void {
    const host = hostPrefix(hostAndPort(connection.remoteAddr).host)
    const those = this.#pending.get(host)
    if (those === undefined) this.#pending.set(host, new Set([connection]))
    else those.add(connection)
    this.#count += 1
    connection.addEventListener('close', () => this.#remove(host, connection), { once: true })
    if (this.#count > this.#most) this.#evict()
  }

  /** The handshake of the connection from there is over; libp2p has the PeerId behind the address then. */
  done(remote: Multiaddr): void {
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

/** What one host has to itself: an IPv4 address, or the first 64 bits of an IPv6 address (RFC 4291 §2.5.1), of which it can choose the rest. */
export function hostPrefix(host: string): string {
  if (isIP(host) !== 6 || host.includes('.')) return host
  const [head = '', tail] = host.split('::')
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
  const [first, last] = [groups(head), groups(tail ?? '')]
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
  // An IPv4 address in the clothes of an IPv6 one (§2.5.5.2).
  if (all.slice(0, 6).join() === '0,0,0,0,0,65535') return host
  return `${all
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`
}
