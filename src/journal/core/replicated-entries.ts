import type { PeerIdString } from '../../network/types.ts'
import type { Entry } from './entry.ts'
import type { ReplicatedEntry } from './replicated-entry.ts'

/** This leadership's newest entries, by job. */
export class ReplicatedEntries<Record> extends Map<string, ReplicatedEntry<Record>> {
  *newest(): Iterable<Entry<Record>> {
    for (const { entry } of this.values()) yield entry
  }

  /** Whether an entry was sent to a peer that the peer has not confirmed. */
  isUnconfirmedBy(peer: PeerIdString): boolean {
    return [...this.values()].some(job => job.isUnconfirmedBy(peer))
  }

  /** Whether a standby stores at least these versions. */
  areVersionsStoredBy(standby: PeerIdString, versions: readonly (readonly [job: string, version: number])[]): boolean {
    return versions.every(([job, version]) => this.get(job)?.isStoredBy(standby, version) ?? true)
  }

  /** Whether a standby stores the newest version of each entry. */
  areStoredBy(standby: PeerIdString): boolean {
    return [...this.values()].every(job => job.isStoredBy(standby))
  }

  /** Whether a peer may have a copy of an entry, in any version. */
  haveCopyAt(peer: PeerIdString): boolean {
    return [...this.values()].some(job => job.copies.has(peer))
  }
}
