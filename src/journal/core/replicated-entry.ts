import type { PeerIdString } from '../../network/types.ts'
import type { Entry } from './entry.ts'
import type { Durability } from './replication.ts'

/** This leadership's newest entry of a job, and the versions that other peers store. */
export class ReplicatedEntry<Record> {
  entry: Entry<Record>
  /** For each peer, the newest version of this leadership that was sent to the peer, and the newest version that the peer has confirmed. */
  readonly #sent = new Map<PeerIdString, number>()
  readonly #stored = new Map<PeerIdString, number>()
  /** For each peer, the newest version that the peer has confirmed to have on disk. */
  readonly #onDisk = new Map<PeerIdString, number>()
  /** The newest versions that this peer itself has, and has on disk. */
  #own = { stored: 0, onDisk: 0 }
  /** The peers that may have a copy, in any version. */
  readonly copies: Set<PeerIdString>
  /** The newest version reported as replicated. */
  reported = 0
  /** Where the job was last reported to be held. */
  held: Durability | undefined
  /** Whether there were too few disks for this new job. */
  isRefused = false
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

  isOnDiskOf(peer: PeerIdString, version = this.version): boolean {
    return (this.#onDisk.get(peer) ?? 0) >= version
  }

  /** Whether all that a peer has confirmed of this entry is on its disk. */
  isSyncedBy(peer: PeerIdString): boolean {
    return (this.#onDisk.get(peer) ?? 0) >= (this.#stored.get(peer) ?? 0)
  }

  /** Whether a version is stored at this peer itself. */
  isStoredHere(version = this.version): boolean {
    return this.#own.stored >= version
  }

  isOnDiskHere(version = this.version): boolean {
    return this.#own.onDisk >= version
  }

  /** Whether this peer itself has on disk what an earlier leader may have acknowledged. */
  get isAdoptedHere(): boolean {
    return this.isOnDiskHere(this.#adopted)
  }

  /**
   * Returns the standbys, and other peers that may have a copy, that have not confirmed the newest version, or may come back without it. `hasDisk`:
   * whether a peer has a disk.
   */
  oldCopies(standbys: readonly PeerIdString[], hasDisk: (id: PeerIdString) => boolean): PeerIdString[] {
    return [...this.copies, ...standbys].filter(id => !this.isStoredBy(id) || (hasDisk(id) && !this.isOnDiskOf(id)))
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
  confirm(peer: PeerIdString, version: number, isOnDisk: boolean): void {
    const known = Math.min(version, this.version)
    const raise = (versions: Map<PeerIdString, number>): unknown =>
      versions.set(peer, Math.max(known, versions.get(peer) ?? 0))
    raise(this.#sent)
    raise(this.#stored)
    if (isOnDisk) raise(this.#onDisk)
    this.copies.add(peer)
  }

  /** Records that this peer itself stores a version. */
  confirmHere(version: number, isOnDisk: boolean): void {
    this.#own.stored = Math.max(version, this.#own.stored)
    if (isOnDisk) this.#own.onDisk = Math.max(version, this.#own.onDisk)
  }

  /** Forgets the versions at a peer, because messages to the peer and the copy of the peer may be lost. */
  reset(peer: PeerIdString): void {
    this.#sent.delete(peer)
    this.#stored.delete(peer)
    this.#onDisk.delete(peer)
    this.copies.delete(peer)
  }
}
