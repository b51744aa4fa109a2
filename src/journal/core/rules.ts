/**
 * The rules that keep what was acknowledged, each one predicate. They are handed to the core, so that a test can break one of them and see
 * that the simulation notices.
 */
import { compareWriters, type End, type Head, newest, type Writer } from './entry.ts'

export interface JournalRules {
  /** Whether a replica shows its entries to `reader`; `last` is the newest leader that it has shown them to. */
  mayRead(reader: Writer, last: Writer | undefined): boolean
  /** Whether a replica stores what `writer` writes. A leader that has not read would overwrite what it does not know. */
  mayWrite(writer: Writer, last: Writer | undefined): boolean
  /**
   * Whether the leader knows everything that was acknowledged before it: how many reachable followers are `unread`, and under a quorum how many
   * voters are missing to a majority of readers.
   */
  hasRead(unread: number, votersMissing: number): boolean
  /** Which of several copies of a job counts. */
  newest<H extends Head>(copies: readonly H[]): H | undefined
  /** Whether a copy of another leadership counts more than the entry of this one. */
  overrules(copy: Head): boolean
  /** How many others have to store an entry, where `required` store that of a running job and `standbys` are reachable. */
  replicasNeeded(end: End | undefined, required: number, standbys: number): number
  /** Whether an entry that `stored` others store survives its leader, so that it may be acknowledged. */
  isReplicated(stored: number, needed: number): boolean
  /** Whether peers other than the standbys may drop their copies of an entry; `behind` standbys do not store it yet. */
  mayDropCopies(stored: number, needed: number, behind: number): boolean
}

export const journalRules: JournalRules = {
  mayRead: (reader, last) => last === undefined || compareWriters(reader, last) >= 0,

  mayWrite: (writer, last) => last !== undefined && compareWriters(writer, last) === 0,

  // Under a quorum every follower is read as well: a voter that restarted has lost what it stored.
  hasRead: (unread, votersMissing) => unread === 0 && votersMissing <= 0,

  newest,

  // The entry of this leadership is the newest of a running job; only an end elsewhere overrules it.
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
