/** The events and effects of the leader's journal. */
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { End, Entry, Head, Stamp } from './entry.ts'
import type { JournalMember } from './followers.ts'
import type { HolderList } from './holder-list.ts'
import type { Versions } from './own-copies.ts'
import type { Durability } from './replication.ts'

export type JournalEvent<Record> =
  /** Starts to read the journals of all members. Only `member` events may come earlier. */
  | { type: 'start' }
  /** Another live member appeared or changed. */
  | { type: 'member'; member: JournalMember }
  /** A member is no longer live. */
  | { type: 'gone'; id: PeerIdString }
  /** The connection broke, so messages to or from the peer may be lost. */
  | { type: 'disconnected'; id: PeerIdString }
  /** A suspect cannot be reached, so the leader does not wait for the copies at this suspect. */
  | { type: 'unreachable'; id: PeerIdString }
  /**
   * The answer to a read. `isOnDisk`: as in `stored`. `list`: the list of holders that the peer knows. Default: none. `isIncomplete`: whether the peer
   * has lost entries, and has not caught up since. Default: no.
   */
  | {
      type: 'heads'
      from: PeerIdString
      heads: readonly Head[]
      isOnDisk?: boolean | undefined
      list?: HolderList | undefined
      isIncomplete?: boolean | undefined
    }
  /** The answer to a fetch. `entry` is undefined if the peer has no entry of the job. */
  | { type: 'entry'; from: PeerIdString; job: string; entry: Entry<Record> | undefined }
  /**
   * The answer to a put: the peer now stores this version. `isOnDisk`: also after a restart. A peer whose disk fails stores the version in its memory,
   * and answers again when the version is on disk. Default false.
   */
  | { type: 'stored'; from: PeerIdString; job: string; version: number; isOnDisk?: boolean }
  /** The answer to `tell`: the peer keeps the list of this version. */
  | { type: 'noted'; from: PeerIdString; version: number }
  /** The answer to `sync`, for all of these copies or for some. `isOnDisk`: as in `stored`. */
  | { type: 'synced'; copies: Versions; isOnDisk: boolean }
  /** The peer obeys a newer leader. */
  | { type: 'refused'; from: PeerIdString }
  /** Writes an entry of this leadership: a new job, a checkpoint or an end. */
  | {
      type: 'write'
      job: string
      submissionId: string
      end: End | undefined
      hasOutcome: boolean
      next: number
      /** Default: as in the entry of this submission before, or 0. */
      durable?: number | undefined
      record: Record
    }
  /** The store of the election names these holders. */
  | { type: 'named'; holders: readonly PeerIdString[] }
  /** Drops a job at all peers. */
  | { type: 'forget'; job: string }
  /** The answer of a peer is overdue. The name of the timer is the id of this peer, or `HOLDERS` for the answer of any named holder. */
  | TimerEvent

export type JournalEventOf<Record, Type> = Extract<JournalEvent<Record>, { type: Type }>

export type JournalEffect<Record> =
  | { type: 'read'; to: PeerIdString }
  | { type: 'fetch'; to: PeerIdString; job: string }
  | { type: 'put'; to: PeerIdString; entry: Entry<Record> }
  /**
   * Send an entry of an earlier leader, possibly not the newest entry, to a peer that has no entry of the job. Otherwise too
   * few peers would store the entry until all journals are read.
   */
  | { type: 'copy'; to: PeerIdString; entry: Entry<Record> }
  | { type: 'forget'; to: PeerIdString; job: string; stamp: Stamp }
  /** Tell a peer which peers hold the journal, or held it under an earlier leader. */
  | { type: 'tell'; to: PeerIdString; list: HolderList }
  /** Tell a peer that had lost entries that it has all of them again. */
  | { type: 'whole'; to: PeerIdString }
  /**
   * Report with a `synced` event when these copies of this peer are on disk. With an empty list: all that it has stored. Only of a replica that is
   * kept on disk.
   */
  | { type: 'sync'; copies: Versions }
  /** This leader knows all acknowledged jobs of earlier leaders, so it may accept and deny jobs. */
  | { type: 'ready' }
  /** This leader takes over a job of an earlier leader. The job resumes, or has already ended. */
  | { type: 'adopt'; entry: Entry<Record> }
  /** A job that runs here has ended in another part of a partitioned cluster. */
  | { type: 'overruled'; entry: Entry<Record> }
  /** Another peer has a later checkpoint of a job that runs here. The job goes on from there. */
  | { type: 'advanced'; entry: Entry<Record> }
  /** Enough peers store this version, so the version survives a crash of the leader. */
  | { type: 'replicated'; job: string; version: number }
  /** The number of peers that store what was acknowledged of the job has changed. */
  | ({ type: 'held'; job: string } & Durability)
  /** A new job cannot be acknowledged: it needs more disks than there are, which is `disks`. */
  | { type: 'not-durable'; job: string; disks: number }
  /**
   * Too few peers store the journal. Without a quorum, nothing is replicated until these live members answer or are gone. With
   * a quorum, nothing is replicated until enough of these voters answer. With an empty list, enough peers answer again.
   */
  | { type: 'under-replicated'; missing: readonly PeerIdString[] }
  /**
   * Some jobs need `needed` disks, and only `disks` take their entries. `missing`: the peers whose disks are gone, or fail. With `needed` 0 there are
   * enough again.
   */
  | { type: 'too-few-disks'; disks: number; needed: number; missing: readonly PeerIdString[] }
  /** Let the store of the election name these holders, and then report it with a `named` event. */
  | { type: 'name'; holders: readonly PeerIdString[] }
  /**
   * Nothing is known of earlier jobs until one of these peers answers, which held the journal. With an empty list, one has answered, or this
   * leader waits no longer.
   */
  | { type: 'unread'; holders: readonly PeerIdString[] }
  /**
   * Nothing is known of earlier jobs until more voters answer that have lost nothing, because these voters have lost entries. With an empty list, enough
   * have answered.
   */
  | { type: 'incomplete'; voters: readonly PeerIdString[] }
  /** A newer leader has begun, so writes of this leader no longer count. */
  | { type: 'fenced' }
  | TimerEffect
