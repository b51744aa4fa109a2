import type { PeerIdString } from '../../network/types.ts'
import type { Entry } from './entry.ts'

/** The newest entry of a job of this leadership, and which peers store which version of it. */
export class ReplicatedEntry<Record> {
  entry: Entry<Record>
  /** The newest version of this leadership that each peer was sent, and that it has confirmed. */
  readonly #sent = new Map<PeerIdString, number>()
  readonly #stored = new Map<PeerIdString, number>()
  /** Peers that may have a copy of whatever age. */
  readonly copies: Set<PeerIdString>
  /** The newest version that was reported as replicated. */
  reported = 0

  constructor(entry: Entry<Record>, copies: Iterable<PeerIdString>) {
    this.entry = entry
    this.copies = new Set(copies)
  }

  get version(): number {
    return this.entry.stamp.version
  }

  isStoredBy(peer: PeerIdString, version = this.version): boolean {
    return (this.#stored.get(peer) ?? 0) >= version
  }

  isSentTo(peer: PeerIdString): boolean {
    return this.#sent.get(peer) === this.version
  }

  /** Whether a peer was sent a version that it has not confirmed. */
  isUnconfirmedBy(peer: PeerIdString): boolean {
    return (this.#sent.get(peer) ?? 0) > (this.#stored.get(peer) ?? 0)
  }

  send(peer: PeerIdString): void {
    this.#sent.set(peer, this.version)
    this.copies.add(peer)
  }

  /** A peer stores a version of this leadership. */
  confirm(peer: PeerIdString, version: number): void {
    const known = Math.min(version, this.version)
    this.#sent.set(peer, Math.max(known, this.#sent.get(peer) ?? 0))
    this.#stored.set(peer, Math.max(known, this.#stored.get(peer) ?? 0))
    this.copies.add(peer)
  }

  /** Forgets what is known of a peer: what was sent to it may be lost, and so may what it stored. */
  reset(peer: PeerIdString): void {
    this.#sent.delete(peer)
    this.#stored.delete(peer)
    this.copies.delete(peer)
  }
}
