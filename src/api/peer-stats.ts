/** The counts of a peer since its start, and its current health: the source of `/metrics`. */

import type { LedChunks } from '../jobs/scheduler/index.ts'
import type { ChunkOutcome, LeadingStats } from '../jobs/shared/job-counts.ts'
import type { Histogram } from '../lib/histogram.ts'
import type { MemberState } from '../membership/core/member.ts'
import type { RefusalKind } from '../network/guard/refusals.ts'
import type { DataDirStats } from '../persistence/data-dir-stats.ts'

export type { LedChunks } from '../jobs/scheduler/index.ts'
export type { ChunkOutcome, LeadingStats } from '../jobs/shared/job-counts.ts'
export type { Histogram } from '../lib/histogram.ts'
export type { DataDirStats } from '../persistence/data-dir-stats.ts'

/** The counts of one peer since its start, from the point of view of this peer. All times are in ms. */
export interface PeerStats {
  /** The number of members in each state, this peer included. */
  members: Record<MemberState, number>
  /** How often a suspect member turned out to be alive: the member refuted the suspicion, or became reachable again. */
  falseSuspicions: number
  /**
   * How often a member that this peer considered dead turned out to have been alive all the time. This peer compares
   * incarnations: a refutation raises the incarnation by 1, and a restart after a crash raises it by 2. The count is an
   * estimate. A member counts as restarted if some of its refutations did not arrive, and counts as alive if it crashed
   * at the moment of a refutation. A member without a data folder never comes back.
   */
  falseDeaths: number
  /** How often this peer has refuted a suspicion of itself. */
  refutations: number
  /**
   * Lifeguard's local health multiplier: 0 is healthy, and 8 is the worst value. A higher value makes this peer more
   * reluctant to suspect other members.
   */
  localHealth: number
  /** Whether this peer leads. */
  isLeader: boolean
  /** The epoch of the leadership that this peer accepts; undefined while this peer accepts no leadership. */
  epoch: number | undefined
  /** The number of leaderships that this peer has accepted, including the leadership that it found at its start. */
  leaderChanges: number
  /** The total time without a leader, in ms. */
  leaderless: number
  /**
   * The durations of elections, in ms. A duration begins when this peer loses its leader, or takes part in a hand-off
   * by a live leader. The duration ends when this peer accepts another leadership. It is 0 when one leadership directly
   * follows another: after a hand-off between two other peers, or, at the next peer in rank, when the leader dies. The
   * time to detect the death of a leader is not included. The leader that this peer finds at its start does not count.
   */
  electionDurations: Histogram
  /** The number of chunks that may run here at a time. */
  slots: number
  /** The number of chunks that run here now. */
  busy: number
  /** The number of chunks that ended here, by outcome. */
  chunks: Record<ChunkOutcome, number>
  /** The number of chunks in each message to a worker, while this peer leads. */
  batchSizes: Histogram
  /** The work of this peer as the leader, over all its leaderships. */
  led: LedChunks
  /** The state of the current leadership; undefined while this peer does not lead. */
  leading: LeadingStats | undefined
  /** The sessions that hold a lock or named leadership, and those that wait for one; undefined while this peer does not lead. */
  locks: Record<'held' | 'waiting', number> | undefined
  /** The number of jobs, ended jobs and locks in the journal of this peer, in memory or on disk. */
  journalEntries: number
  /** The data folder; undefined without one. */
  dataDir: DataDirStats | undefined
  /** The lateness of timers on this peer's main thread, in ms, measured ten times a second. */
  eventLoopLag: Histogram
  /** The number of refusals, by kind. */
  refusals: Record<RefusalKind, number>
}
