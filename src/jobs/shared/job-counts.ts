/** What a peer counts of its jobs, as a worker and as the leader. */
import type { Histogram } from '../../lib/histogram.ts'
import type { LedChunks, SchedulerLoad } from '../scheduler/index.ts'

/**
 * How a chunk ended on the peer that was to run it. `cancelled`: others were quicker, or its job was over; `returned`: it was not begun, and went back to
 * the leader.
 */
export type ChunkOutcome = 'completed' | 'failed' | 'timed-out' | 'cancelled' | 'returned'

export type ChunkCounts = Record<ChunkOutcome, number>

export interface WorkerCounts {
  /** Chunks that run. */
  busy: number
  chunks: ChunkCounts
}

/** What only a leader has. */
export interface LeadingStats extends SchedulerLoad {
  /** Jobs that have not ended. */
  jobs: number
  /**
   * For how long something has been folded that is in no checkpoint which those hold that keep the journal, in ms, of the running job for which
   * that is longest: the work that would be done again if this leader died now. 0: all that is folded is held, or nothing is folded yet.
   * Where this peer is alone, nobody else could go on, and its own copy counts. Streams need no checkpoint: their client has what is folded. A
   * state too large to travel (511 MiB) is never held. Undefined while no job runs.
   */
  checkpointAge: number | undefined
}

export interface JobsStats extends WorkerCounts {
  /** How many chunks each message to a worker held, while this peer led. */
  batchSizes: Histogram
  led: LedChunks
  /** Undefined while this peer does not lead. */
  leading: LeadingStats | undefined
}

/** In chunks. */
export const BATCH_BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]
