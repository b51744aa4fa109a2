/** What goes into the leader's side of the journal and what comes out. */
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { End, Entry, Head, Stamp } from './entry.ts'
import type { JournalMember } from './followers.ts'

export type JournalEvent<Record> =
  /** Once, before all others but `member`: reads the journals of all members. */
  | { type: 'start' }
  /** Another live member appeared or changed. */
  | { type: 'member'; member: JournalMember }
  /** A member is not live any more. */
  | { type: 'gone'; id: PeerIdString }
  /** Messages on their way to or from this peer may be lost. */
  | { type: 'disconnected'; id: PeerIdString }
  /** A suspect cannot be reached: its copies are not waited for. */
  | { type: 'unreachable'; id: PeerIdString }
  /** Answers a read. */
  | { type: 'heads'; from: PeerIdString; heads: readonly Head[] }
  /** Answers a fetch; undefined where the peer has no entry of the job. */
  | { type: 'entry'; from: PeerIdString; job: string; entry: Entry<Record> | undefined }
  /** Confirms a put: the peer stores this version. */
  | { type: 'stored'; from: PeerIdString; job: string; version: number }
  /** The peer obeys a newer leader. */
  | { type: 'refused'; from: PeerIdString }
  /** Writes an entry of this leadership: a new job, a checkpoint, an end. */
  | { type: 'write'; job: string; submissionId: string; end: End | undefined; hasOutcome: boolean; record: Record }
  /** Drops a job everywhere. */
  | { type: 'forget'; job: string }
  /** The time in which the peer of this name had to answer is over. */
  | TimerEvent

export type JournalEffect<Record> =
  | { type: 'read'; to: PeerIdString }
  | { type: 'fetch'; to: PeerIdString; job: string }
  | { type: 'put'; to: PeerIdString; entry: Entry<Record> }
  /** An entry of an earlier leader, perhaps not the newest: too few have it to survive until all is read. */
  | { type: 'copy'; to: PeerIdString; entry: Entry<Record> }
  | { type: 'forget'; to: PeerIdString; job: string; stamp: Stamp }
  /** Everything that was acknowledged before is known: jobs may be accepted and denied. */
  | { type: 'ready' }
  /** A job of an earlier leader: to resume, or known to have ended. */
  | { type: 'adopt'; entry: Entry<Record> }
  /** A job that runs here has ended elsewhere, while the cluster was cut. */
  | { type: 'overruled'; entry: Entry<Record> }
  /** This version survives the leader. */
  | { type: 'replicated'; job: string; version: number }
  /**
   * Too few peers store the journal: nothing is replicated until these live members answer or are gone (under a quorum: until these voters
   * answer). None: enough answer again.
   */
  | { type: 'under-replicated'; missing: readonly PeerIdString[] }
  /** A newer leader has begun: nothing that is written here counts any more. */
  | { type: 'fenced' }
  | TimerEffect
