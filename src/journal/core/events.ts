/** What goes into the leader's side of the journal and what comes out. */

import type { Rank } from '../../election/core/rank.ts'
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { End, Entry, Head, Stamp } from './entry.ts'

/** A live member, as the journal needs to know it. */
export interface JournalMember {
  rank: Rank
  electable: boolean
}

export type JournalEvent<Record> =
  /** Once, before all others but `member`: reads what is held everywhere. */
  | { type: 'start' }
  /** Another live member appeared or changed. */
  | { type: 'member'; member: JournalMember }
  /** It is not live any more. */
  | { type: 'gone'; id: PeerIdString }
  /** What was on its way to or from it may be lost. */
  | { type: 'disconnected'; id: PeerIdString }
  /** It is suspected to be dead, and cannot be reached: what it holds is not waited for. */
  | { type: 'unreachable'; id: PeerIdString }
  /** It answers a read. */
  | { type: 'heads'; from: PeerIdString; heads: readonly Head[] }
  /** It answers a fetch; undefined: it holds the job no more. */
  | { type: 'entry'; from: PeerIdString; job: string; entry: Entry<Record> | undefined }
  /** It holds this version. */
  | { type: 'held'; from: PeerIdString; job: string; version: number }
  /** It obeys a newer leader. */
  | { type: 'refused'; from: PeerIdString }
  /** Something is to be kept of a job of this leader: a new one, how far it is, how it ended. */
  | { type: 'write'; job: string; submissionId: string; end: End | undefined; hasOutcome: boolean; record: Record }
  /** Nothing is to be kept of a job any more. */
  | { type: 'forget'; job: string }
  | TimerEvent

export type JournalEffect<Record> =
  | { type: 'read'; to: PeerIdString }
  | { type: 'fetch'; to: PeerIdString; job: string }
  | { type: 'put'; to: PeerIdString; entry: Entry<Record> }
  /** Of an earlier leader, and perhaps not the newest: so few hold it that it may be lost before all has been read. */
  | { type: 'copy'; to: PeerIdString; entry: Entry<Record> }
  | { type: 'forget'; to: PeerIdString; job: string; stamp: Stamp }
  /** All that was acknowledged before is known: jobs may be accepted and denied. */
  | { type: 'ready' }
  /** A job of an earlier leader: to be gone on with, or to be known as ended. */
  | { type: 'adopt'; entry: Entry<Record> }
  /** A job that runs here has ended elsewhere, while the cluster was cut. */
  | { type: 'overruled'; entry: Entry<Record> }
  /** What was written is held as it must be: it survives this leader. */
  | { type: 'held'; job: string; version: number }
  /**
   * These live members do not answer, and without them too few keep the journal: what is written is not held before they do, or are gone. Under a
   * quorum, they are the voters that do not answer or are not there. None: it is over.
   */
  | { type: 'short'; silent: readonly PeerIdString[] }
  /** A newer leader has begun: nothing that is written here counts any more. */
  | { type: 'fenced' }
  | TimerEffect
