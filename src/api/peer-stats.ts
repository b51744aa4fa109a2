/** What a peer has counted since it started, and how it is doing: the source of `/metrics`. */

import type { LedChunks } from '../jobs/scheduler/index.ts'
import type { ChunkOutcome, LeadingStats } from '../jobs/shared/job-counts.ts'
import type { Histogram } from '../lib/histogram.ts'
import type { MemberState } from '../membership/core/member.ts'
import type { RefusalKind } from '../network/guard/refusals.ts'

export type { LedChunks } from '../jobs/scheduler/index.ts'
export type { ChunkOutcome, LeadingStats } from '../jobs/shared/job-counts.ts'
export type { Histogram } from '../lib/histogram.ts'

/** All counts are since the peer started, as this peer has seen things; all times in ms. */
export interface PeerStats {
  /** Members by state, this peer among them. */
  members: Record<MemberState, number>
  /** How often a member that this peer held for suspect showed that it lives: it refuted, or could be reached again. */
  falseSuspicions: number
  /**
   * How often a member that this peer held for dead showed that it had lived all the time. It did when its incarnation is one higher, which is a
   * refutation; a member that comes back after a crash begins two above the last that it remembers. (Whoever has refuted more often than it was
   * heard is taken for one that came back, and one that crashed within the moment of a refutation for one that lived.) A member without a data
   * folder never comes back.
   */
  falseDeaths: number
  /** How often this peer has refuted an accusation of itself. */
  refutations: number
  /** Lifeguard's local health multiplier: 0 is well, 8 the worst; the higher, the more this peer doubts itself. */
  localHealth: number
  /** Whether this peer leads. */
  isLeader: boolean
  /** Of the leadership that this peer accepts; undefined while there is none. */
  epoch: number | undefined
  /** Leaderships accepted, the one found at the start among them. */
  leaderChanges: number
  /** For how long there was no leader, in ms. */
  leaderless: number
  /**
   * How long elections took, in ms: from when this peer had no leader, or asked a live leader to hand over, or was asked, until it accepted
   * another leadership; 0 where one followed upon the other at once, as after a hand-off between two others, or at the next in line when the leader
   * dies. How long it took to find out that a leader is dead is not part of it. A leader that is found at the start was not elected.
   */
  electionDurations: Histogram
  /** Chunks that may run here at a time. */
  slots: number
  /** Chunks running here. */
  busy: number
  /** Chunks that ended here, by how. */
  chunks: Record<ChunkOutcome, number>
  /** How many chunks each message to a worker held, at this peer as the leader. */
  batchSizes: Histogram
  /** What this peer has done as the leader, in all its leaderships. */
  led: LedChunks
  /** Undefined while this peer does not lead. */
  leading: LeadingStats | undefined
  /** How late this peer's main thread was with its timers, in ms: looked at ten times a second. */
  eventLoopLag: Histogram
  /** What was refused, by kind. */
  refusals: Record<RefusalKind, number>
}
