/**
 * The rules that protect acknowledged jobs, one predicate each. They are injected, so that a test can break one of them
 * and check that the simulation notices.
 */
import { compareWriters, type End, type Head, newest, type Writer } from './entry.ts'

export interface JournalRules {
  /** Whether a replica shows its entries to `reader`; `last`: the newest leader that has read it. */
  mayRead(reader: Writer, last: Writer | undefined): boolean
  /**
   * Whether a replica stores an entry of `writer`. A leader that has not read would overwrite entries that it does not
   * know.
   */
  mayWrite(writer: Writer, last: Writer | undefined): boolean
  /**
   * Whether the leader knows everything acknowledged before it. `unread`: number of reachable followers that are not
   * read. `votersMissing`: with a quorum, number of voters that are missing for a majority of readers.
   */
  hasRead(unread: number, votersMissing: number): boolean
  /** The copy of a job that counts. */
  newest<H extends Head>(copies: readonly H[]): H | undefined
  /** Whether a copy of another leadership beats the entry of this one. */
  overrules(copy: Head): boolean
  /**
   * Number of other peers that must store an entry; `required`: the number for a running job; `standbys`: the reachable
   * standbys.
   */
  replicasNeeded(end: End | undefined, required: number, standbys: number): number
  /** Whether an entry survives its leader and may be acknowledged; `stored`: number of other peers that store it. */
  isReplicated(stored: number, needed: number): boolean
  /**
   * Whether other peers than the standbys may drop their copies; `behind`: number of standbys that do not store the
   * entry yet.
   */
  mayDropCopies(stored: number, needed: number, behind: number): boolean
}

export const journalRules: JournalRules = {
  mayRead: (reader, last) => last === undefined || compareWriters(reader, last) >= 0,

  mayWrite: (writer, last) => last !== undefined && compareWriters(writer, last) === 0,

  // With a quorum, every follower is read as well: a voter that restarted has lost its copies.
  hasRead: (unread, votersMissing) => unread === 0 && votersMissing <= 0,

  newest,

  // This leadership's entry of a running job is the newest one; only an end elsewhere beats it.
  overrules: copy => copy.end !== undefined,

  replicasNeeded(end, required, standbys) {
    if (end === undefined) return required
    // A stop does not wait for a silent member: at worst the job runs once more.
    const isStopped = end === 'cancelled' || end === 'abandoned'
    // An outcome is large and can be computed again: one other copy is enough.
    return Math.min(1, isStopped ? standbys : required)
  },

  isReplicated: (stored, needed) => stored >= needed,

  mayDropCopies: (stored, needed, behind) => stored >= needed && behind === 0
}
