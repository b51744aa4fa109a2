import type { Connection } from '@libp2p/interface'
import pDefer, { type DeferredPromise } from 'p-defer'
import { orAborted } from '../lib/abort.ts'
import type { PeerIdString } from './types.ts'

/** The open connections by peer, oldest first. A pair of peers may have several connections, for example when both sides dial. */
export class Connections {
  readonly #peers = new Map<PeerIdString, Connection[]>()
  readonly #gone = new Map<PeerIdString, DeferredPromise<void>>()

  peers(): PeerIdString[] {
    return [...this.#peers.keys()]
  }

  all(): Connection[] {
    return [...this.#peers.values()].flat()
  }

  has(peer: PeerIdString): boolean {
    return this.#peers.has(peer)
  }

  of(peer: PeerIdString): Connection[] {
    return this.#peers.get(peer) ?? []
  }

  /** Returns the oldest open connection to `peer`. Both sides choose the oldest connection; further connections may soon close. */
  oldest(peer: PeerIdString): Connection | undefined {
    return this.of(peer).find(connection => connection.status === 'open')
  }

  /** Adds an opened connection. Returns true if it is the first connection to its peer. */
  add(connection: Connection): boolean {
    const peer = connection.remotePeer.toString()
    const others = this.of(peer)
    this.#peers.set(peer, [...others, connection])
    return others.length === 0
  }

  /** Removes a closed connection. Returns `last` if the peer has no other connection, and `unknown` if the connection was never added. */
  remove(connection: Connection): 'last' | 'others' | 'unknown' {
    const peer = connection.remotePeer.toString()
    const before = this.of(peer)
    if (!before.includes(connection)) return 'unknown'
    const left = before.filter(other => other !== connection)
    if (left.length > 0) {
      this.#peers.set(peer, left)
      return 'others'
    }
    this.#peers.delete(peer)
    this.#gone.get(peer)?.resolve()
    this.#gone.delete(peer)
    return 'last'
  }

  /** Closes the connections to `peer` after the queued data is written. */
  close(peer: PeerIdString): void {
    for (const connection of this.of(peer)) connection.close().catch(error => connection.abort(error))
  }

  /** Resolves when the last connection to `peer` has closed. */
  whenGone(peer: PeerIdString, signal: AbortSignal): Promise<void> {
    if (!this.has(peer)) return Promise.resolve()
    const gone = this.#gone.get(peer) ?? pDefer<void>()
    this.#gone.set(peer, gone)
    return orAborted(gone.promise, signal)
  }

  clear(): void {
    this.#peers.clear()
    this.#gone.clear()
  }
}
