import type { PeerIdString } from '../../network/types.ts'
import type { Entry } from './entry.ts'

/** This leadership's newest entry of a job, and the versions that other peers store. */
export class ReplicatedEntry<Record> {
  entry: Entry<Record>
  /** For each peer, the newest version of this leadership that was sent to the peer, and the newest version that the peer has confirmed. */
  readonly #sent = new Map<PeerIdString, number>()
  readonly #stored = new Map<PeerIdString, number>()
  /** The peers that may have a copy, in any version. */
  readonly copies: Set<PeerIdString>
  /** The newest version reported as replicated. */
  reported = 0
  /** The version of this leadership that contains what an earlier leader may have acknowledged. 0 if no earlier leader had the job. */
  readonly #adopted: number

  constructor(entry: Entry<Record>, copies: Iterable<PeerIdString>, isAdopted = false) {
    this.entry = entry
    this.copies = new Set(copies)
    this.#adopted = isAdopted ? this.version : 0
  }

  /** The newest version that was acknowledged. */
  get acknowledged(): number {
    return Math.max(this.reported, this.#adopted)
  }

  /** Whether a peer stores all of this entry that was acknowledged. */
  hasAcknowledged(peer: PeerIdString): boolean {
    return this.isStoredBy(peer, this.acknowledged)
  }

  get version(): number {
    return this.entry.stamp.version
  }

  isStoredBy(peer: PeerIdString, version = this.version): boolean {
    return (this.#stored.get(peer) ?? 0) >= version
  }

  /** Whether a standby, or another peer that may have a copy, has not confirmed the newest version. */
  hasOldCopy(standbys: readonly PeerIdString[]): boolean {
    return [...this.copies, ...standbys].some(id => !this.isStoredBy(id))
  }

  isSentTo(peer: PeerIdString): boolean {
    return this.#sent.get(peer) === this.version
  }

  /** Whether a version was sent to a peer that the peer has not confirmed. */
  isUnconfirmedBy(peer: PeerIdString): boolean {
    return (this.#sent.get(peer) ?? 0) > (this.#stored.get(peer) ?? 0)
  }

  send(peer: PeerIdString): void {
    this.#sent.set(peer, this.version)
    this.copies.add(peer)
  }

  /** Records that a peer stores a version of this leadership. */
  confirm(peer: PeerIdString, version: number): void {
    const known = Math.min(version, this.version)
    this.#sent.set(peer, Math.max(known, this.#sent.get(peer) ?? 0))
    this.#stored.set(peer, Math.max(known, this.#stored.get(peer) ?? 0))
    this.copies.add(peer)
  }

  /** Forgets the versions at a peer, because messages to the peer and the copy of the peer may be lost. */
  reset(peer: PeerIdString): void {
    this.#sent.delete(peer)
    this.#stored.delete(peer)
    this.copies.delete(peer)
  }
}
