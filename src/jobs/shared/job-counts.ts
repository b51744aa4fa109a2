/** Counts of a peer's jobs, as a worker and as the leader. */
import type { Histogram } from '../../lib/histogram.ts'
import type { LedChunks, SchedulerLoad } from '../scheduler/index.ts'

/**
 * The end of a chunk at its worker. `cancelled`: another worker was faster, or the job has ended. `returned`: the chunk
 * had not begun, and went back to the leader.
 */
export type ChunkOutcome = 'completed' | 'failed' | 'timed-out' | 'cancelled' | 'returned'

export type ChunkCounts = Record<ChunkOutcome, number>

export interface WorkerCounts {
  /** Number of chunks that run at this peer. */
  busy: number
  chunks: ChunkCounts
}

/** The counts that only a leader has. */
export interface LeadingStats extends SchedulerLoad {
  /** Number of jobs that have not ended. */
  jobs: number
  /**
   * For how long folded partials have been in no replicated checkpoint, in ms, at the running job where that is
   * longest: the work that a crash of this leader would repeat. 0: all folded partials are replicated, or none are
   * folded yet. If this peer is alone, its own copy counts, since no other peer could resume. Streams need no
   * checkpoint: their client has the results. A state too large for a message (511 MiB) is never replicated.
   * `undefined` while no job runs.
   */
  checkpointAge: number | undefined
}

export interface JobsStats extends WorkerCounts {
  /** The number of chunks in each message that this peer has sent to a worker as the leader. */
  batchSizes: Histogram
  led: LedChunks
  /** Number of entries in the journal of this peer. */
  journalEntries: number
  /** `undefined` while this peer does not lead. */
  leading: LeadingStats | undefined
}

/** Upper bounds of the histogram's buckets, in chunks. */
export const BATCH_BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]
