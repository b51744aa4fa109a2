import type { PeerIdString } from '../../network/types.ts'
import type { Entry } from './entry.ts'

/** A job in the journal of the leader: its newest entry, and who holds which version of it. */
export class TrackedJob<Record> {
  entry: Entry<Record>
  /** The newest version of this leadership that was sent to each peer, and that each has said to hold. */
  readonly sent = new Map<PeerIdString, number>()
  readonly held = new Map<PeerIdString, number>()
  /** Who may have a copy of whatever age. */
  readonly copies: Set<PeerIdString>
  /** The newest version that is known to be held as it must be. */
  announced = 0

  constructor(entry: Entry<Record>, copies: Iterable<PeerIdString>) {
    this.entry = entry
    this.copies = new Set(copies)
  }

  get version(): number {
    return this.entry.stamp.version
  }

  holds(peer: PeerIdString): boolean {
    return (this.held.get(peer) ?? 0) >= this.version
  }

  /** A peer was sent something that it has not said to hold. */
  isOwedBy(peer: PeerIdString): boolean {
    return (this.sent.get(peer) ?? 0) > (this.held.get(peer) ?? 0)
  }

  /** What was on its way to a peer may not have arrived, and what it held may be lost. */
  doubt(peer: PeerIdString): void {
    this.sent.delete(peer)
    this.held.delete(peer)
    this.copies.delete(peer)
  }

  /** A peer holds a version of this leadership. */
  confirm(peer: PeerIdString, version: number): void {
    this.sent.set(peer, Math.max(version, this.sent.get(peer) ?? 0))
    this.held.set(peer, Math.max(version, this.held.get(peer) ?? 0))
    this.copies.add(peer)
  }
}
