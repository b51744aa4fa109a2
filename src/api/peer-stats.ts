/** The counts of a peer since its start, and its current health: the source of `/metrics`. */

import type { LedChunks } from '../jobs/scheduler/index.ts'
import type { ChunkOutcome, LeadingStats } from '../jobs/shared/job-counts.ts'
import type { Histogram } from '../lib/histogram.ts'
import type { MemberState } from '../membership/core/member.ts'
import type { RefusalKind } from '../network/guard/refusals.ts'

export type { LedChunks } from '../jobs/scheduler/index.ts'
export type { ChunkOutcome, LeadingStats } from '../jobs/shared/job-counts.ts'
export type { Histogram } from '../lib/histogram.ts'

/** The counts of one peer since it started, from its own point of view; all times in ms. */
export interface PeerStats {
  /** The number of members in each state, this peer included. */
  members: Record<MemberState, number>
  /** How often a suspect member turned out to be alive: it refuted the suspicion, or became reachable again. */
  falseSuspicions: number
  /**
   * How often a member that this peer considered dead turned out to have been alive all the time. Its incarnation shows
   * it: one higher is a refutation; a member that restarts after a crash begins two above the last one that it
   * remembers. (The estimate errs for a member whose refutations did not all arrive, which counts as restarted, and for
   * one that crashed within the moment of a refutation, which counts as alive.) A member without a data folder never
   * comes back.
   */
  falseDeaths: number
  /** How often this peer has refuted a suspicion of itself. */
  refutations: number
  /**
   * Lifeguard's local health multiplier: 0 is healthy, 8 the worst. A higher value makes this peer more reluctant to
   * suspect others.
   */
  localHealth: number
  /** Whether this peer leads. */
  isLeader: boolean
  /** The epoch of the leadership that this peer accepts; undefined while there is none. */
  epoch: number | undefined
  /** The number of leaderships that this peer has accepted, including the one found at the start. */
  leaderChanges: number
  /** The total time without a leader, in ms. */
  leaderless: number
  /**
   * The durations of elections, in ms: from the moment when this peer had no leader, or took part in a hand-off by a
   * live leader, until it accepted another leadership. The duration is 0 when one leadership follows directly on the
   * other, as after a hand-off between two other peers, or at the next in line when the leader dies. The time to detect
   * the death of a leader is not included. A leader that is found at the start was not elected.
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
  /** The lateness of timers on this peer's main thread, in ms, measured ten times a second. */
  eventLoopLag: Histogram
  /** The number of refusals, by kind. */
  refusals: Record<RefusalKind, number>
}
