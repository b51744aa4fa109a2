/** What a peer has counted since it started, and how it is doing: the source of `/metrics`. */
import type { MemberState } from './membership/member.ts'
import type { RefusalKind } from './network/refusals.ts'

/** How often values fell where. */
export interface Histogram {
  /** The largest value of each bucket but the last, ascending. */
  readonly bounds: readonly number[]
  /** How many values fell into each bucket: one more than `bounds`, the last for those above them all. */
  readonly counts: readonly number[]
  readonly sum: number
}

/** How a chunk ended on the peer that ran it. `returned`: it was not begun, and went back to the leader. */
export type ChunkOutcome = 'completed' | 'failed' | 'timed-out' | 'cancelled' | 'returned'

/** What a peer has done as the leader, in all its leaderships: these never go down. */
export interface LedChunks {
  /** Partials folded into results. */
  folded: number
  /** Started again because `run` threw or their peer died. */
  retried: number
  /** Started a second time because they were slow. */
  speculated: number
  /** Folded under an earlier leader, and computed again because what had come of them was lost. */
  recomputed: number
  /** Sent to workers, all copies. */
  dispatched: number
}

/** What only a leader has. */
export interface LeadingStats {
  /** Jobs that have not ended. */
  jobs: number
  /** Of these, how many wait because no live peer can compute their chunks. */
  unserved: number
  /** The queue's depth: chunks that are split and wait for a worker. */
  ready: number
  /** Chunks that workers have, running or waiting there. */
  dispatched: number
  /** The fold's lag: partials that wait to be folded. */
  unfolded: number
  /** Bytes of these. */
  unfoldedBytes: number
  /**
   * Of the running job for which it is longest: since when its newest checkpoint has been held by another peer, in ms (from its beginning where there is none
   * yet). Undefined while no job runs.
   */
  checkpointAge: number | undefined
}

/** All counts are since the peer started, as this peer has seen things; all times in ms. */
export interface PeerStats {
  /** Members by state, this peer among them. */
  members: Record<MemberState, number>
  /** How often a member that this peer held for suspect showed that it lives. */
  falseSuspicions: number
  /** How often a member that this peer held for dead showed that it had lived all the time: the same run of it, not a restart. */
  falseDeaths: number
  /** How often this peer has refuted an accusation of itself. */
  refutations: number
  /** Lifeguard's local health multiplier: 0 is well; the higher, the more this peer doubts itself. */
  localHealth: number
  isLeader: boolean
  /** Of the leadership that this peer accepts; undefined while there is none. */
  epoch: number | undefined
  /** Leaderships accepted, the one found at the start among them. */
  leaderChanges: number
  /** For how long there was no leader, in ms. */
  leaderless: number
  /** How long elections took, in ms: from when this peer had no leader, or began to take over, until it accepted one. */
  electionDurations: Histogram
  slots: number
  /** Chunks running here. */
  busy: number
  /** Chunks that ended here, by how. */
  chunks: Record<ChunkOutcome, number>
  /** How many chunks each message to a worker held, at this peer as the leader. */
  batchSizes: Histogram
  led: LedChunks
  /** Undefined while another peer leads. */
  leading: LeadingStats | undefined
  /** How late this peer's main thread was with its timers, in ms: a few times a second. */
  eventLoopLag: Histogram
  /** What was refused, by kind. */
  refusals: Record<RefusalKind, number>
}
