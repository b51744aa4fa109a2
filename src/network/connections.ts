import type { Connection } from '@libp2p/interface'
import { withSignal } from '../lib/wait.ts'
import type { PeerIdString } from './types.ts'

interface Gone {
  promise: Promise<void>
  resolve(): void
}

/** The open connections by peer, oldest first. A pair may have several: both sides dialled, or one dialled back. */
export class Connections {
  readonly #peers = new Map<PeerIdString, Connection[]>()
  readonly #gone = new Map<PeerIdString, Gone>()

  peers(): PeerIdString[] {
    return [...this.#peers.keys()]
  }

  has(peer: PeerIdString): boolean {
    return this.#peers.has(peer)
  }

  of(peer: PeerIdString): Connection[] {
    return this.#peers.get(peer) ?? []
  }

  /** The oldest that is open, on both sides the same: the others may be gone soon. */
  oldest(peer: PeerIdString): Connection | undefined {
    return this.of(peer).find(connection => connection.status === 'open')
  }

  /** Notes an opened connection; true for the first to its peer. */
  add(connection: Connection): boolean {
    const peer = connection.remotePeer.toString()
    const others = this.of(peer)
    this.#peers.set(peer, [...others, connection])
    return others.length === 0
  }

  /** Notes a closed connection; `last` when its peer has no other, `unknown` when it never counted. */
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

  /** Resolves when the last connection to `peer` has closed. */
  whenGone(peer: PeerIdString, signal: AbortSignal): Promise<void> {
    if (!this.has(peer)) return Promise.resolve()
    let gone = this.#gone.get(peer)
    if (gone === undefined) {
      let resolve = () => {}
      const promise = new Promise<void>(onResolve => {
        resolve = onResolve
      })
      gone = { promise, resolve }
      this.#gone.set(peer, gone)
    }
    return withSignal(gone.promise, signal)
  }

  clear(): void {
    this.#peers.clear()
    this.#gone.clear()
  }
}
