/**
 * The rules that protect acknowledged jobs, one predicate each. The core gets the rules as a parameter, so that a test can break a rule
 * and check that the simulation fails.
 */
import { compareWriters, type End, type Head, newest, type Writer } from './entry.ts'

export interface JournalRules {
  /** Whether a replica sends its entries to `reader`. `last` is the newest leader that has read the replica. */
  mayRead(reader: Writer, last: Writer | undefined): boolean
  /**
   * Whether a replica stores an entry of `writer`. A leader that has not read the replica would overwrite entries that it does
   * not know.
   */
  mayWrite(writer: Writer, last: Writer | undefined): boolean
  /**
   * Whether the leader knows everything that earlier leaders acknowledged. `unread`: the number of reachable followers that have not
   * answered the read. `votersMissing`: with a quorum, the number of voters whose answer to the read is missing for a majority.
   */
  hasRead(unread: number, votersMissing: number): boolean
  /** Whether a peer counts as read that has answered. `isIncomplete`: whether the peer has lost entries. */
  countsAsRead(isIncomplete: boolean): boolean
  /** Whether a peer that has lost entries is whole again. `hasAll`: whether it stores all that was acknowledged. */
  isCaughtUp(hasAll: boolean): boolean
  /** Whether the leader has read one of the peers that the store of the election names as holders of the journal. */
  hasReadHolder(isRead: boolean): boolean
  /** Whether the leader has read one of the peers that held the journal before a full stop. `unread`: the number of those for which it waits. */
  hasFoundHolder(unread: number): boolean
  /** Whether the store may name new holders. `synced`: the number of standbys that store all acknowledged entries. */
  mayName(synced: number, required: number): boolean
  /** Whether an entry may be acknowledged. `lacking`: the number of named holders that do not store the entry. */
  isNamed(lacking: number): boolean
  /** Whether a peer that is no standby may drop its copies. `isNamed`: the store may name this peer as a holder. */
  mayDrop(isNamed: boolean): boolean
  /** Whether the leader may forget a job that has ended. `areOldGone`: whether every peer that held the journal has dropped its old entries. */
  mayForget(areOldGone: boolean): boolean
  /** Whether a running copy may be of a job whose end is forgotten. `isOutdated`: whether its peer did not know the floor of the holders. */
  mayHaveEnded(isOutdated: boolean): boolean
  /** Whether the copies of this peer itself count. `isSynced`: whether they are on disk, or are not kept on one. */
  countsItself(isSynced: boolean): boolean
  /** Returns the copy of a job that counts. */
  newest<H extends Head>(copies: readonly H[]): H | undefined
  /** Whether a copy of another leadership wins over `own`, the entry of this leadership. */
  overrules(copy: Head, own: Head): boolean
  /**
   * Returns the number of other peers that must store an entry. `required`: the number for a running job. `standbys`: the number of
   * reachable standbys.
   */
  replicasNeeded(end: End | undefined, required: number, standbys: number): number
  /** Whether an entry survives its leader and may be acknowledged. `stored`: the number of other peers that store the entry. */
  isReplicated(stored: number, needed: number): boolean
  /** Whether a copy counts as one on disk. `isOnDisk`: whether its peer said so. */
  countsAsDisk(isOnDisk: boolean): boolean
  /** Returns the number of disks that must hold an entry. `durable`: the number for the job. `disks`: the number of disks that take entries. */
  disksNeeded(end: End | undefined, durable: number, disks: number): number
  /** Whether enough disks hold an entry, so that it may be acknowledged, and dropped elsewhere. */
  isDurable(disks: number, needed: number): boolean
  /**
   * Whether peers that are not standbys may drop their copies. `behind`: the number of standbys that do not store the entry
   * yet.
   */
  mayDropCopies(stored: number, needed: number, behind: number): boolean
}

function isStop(end: End | undefined): boolean {
  return end === 'cancelled' || end === 'abandoned'
}

export const journalRules: JournalRules = {
  mayRead: (reader, last) => last === undefined || compareWriters(reader, last) >= 0,

  mayWrite: (writer, last) => last !== undefined && compareWriters(writer, last) === 0,

  // With a quorum, the leader also reads every follower, because a voter that restarted may have lost its copies.
  hasRead: (unread, votersMissing) => unread === 0 && votersMissing <= 0,

  countsAsRead: isIncomplete => !isIncomplete,

  isCaughtUp: hasAll => hasAll,

  hasReadHolder: isRead => isRead,

  hasFoundHolder: unread => unread === 0,

  mayName: (synced, required) => synced >= required,

  isNamed: lacking => lacking === 0,

  mayDrop: isNamed => !isNamed,

  mayForget: areOldGone => areOldGone,

  mayHaveEnded: isOutdated => isOutdated,

  countsItself: isSynced => isSynced,

  newest,

  // This leadership's entry of a running job is the newest entry. Only an end in another leadership, or a later checkpoint, wins over this entry.
  overrules: (copy, own) =>
    copy.end !== undefined || (own.end === undefined && copy.submissionId === own.submissionId && copy.next > own.next),

  replicasNeeded(end, required, standbys) {
    if (end === undefined) return required
    // A stop does not wait for a silent member. At worst the job runs a second time.
    // An outcome is large and can be computed again, so one copy at another peer is enough.
    return Math.min(1, isStop(end) ? standbys : required)
  },

  isReplicated: (stored, needed) => stored >= needed,

  countsAsDisk: isOnDisk => isOnDisk,

  // A stop does not wait for disks that are gone, either.
  disksNeeded: (end, durable, disks) => (isStop(end) ? Math.min(durable, disks) : durable),

  isDurable: (disks, needed) => disks >= needed,

  mayDropCopies: (stored, needed, behind) => stored >= needed && behind === 0
}
