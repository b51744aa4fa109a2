/**
 * The rules that keep the result exact and the load fair. Each rule is a function. The rules are injected, so that a test can
 * break one rule and check that the simulation detects that.
 */
import type { Loss } from './lost-workers.ts'
import type { JobTerms, OfferedChunk, RunMode, WorkerGone, WorkerTraits } from './types.ts'

/** The tolerance for rounding errors in sums of loads. */
const EPSILON = 1e-9

export const schedulerRules = {
  /** Whether a partial counts. `isAssigned`: whether the sender has the chunk. */
  partialCounts: (isAssigned: boolean) => isAssigned,
  /** Whether a failure counts. `isAssigned`: whether the sender has the chunk. */
  failureCounts: (isAssigned: boolean) => isAssigned,
  /** Whether a chunk of a lost worker goes back to the queue. `isElsewhere`: whether another worker has a copy. */
  requeues: (isElsewhere: boolean) => !isElsewhere,
  /** Whether the leader tells the worker with the other copy to drop that copy when the chunk is done. */
  cancelsCopies: () => true,
  /** Whether chunks that workers retain from earlier leaderships stay with these workers. */
  acceptsOffers: () => true,
  /** Whether a retained chunk in this state counts as running after it is claimed. */
  countsAsRunning: (state: OfferedChunk['state']): boolean => state === 'running',
  /**
   * Whether a job waits for offers. `isResumed`: whether an earlier leader had the job. `awaited`: the number of workers that may
   * still offer chunks.
   */
  awaitsOffers: (isResumed: boolean, awaited: number) => isResumed && awaited > 0,
  /**
   * Whether a chunk may run regardless of the bounds. The chunk is this far above the lowest unfolded chunk, in a job that is folded
   * in groups of this size.
   */
  isLowest: (above: number, groupSize: number) => above < groupSize,
  /** Whether a chunk that is this far above the lowest unfolded chunk is within the window. */
  isInWindow: (above: number, window: number) => above < window,
  /** Whether there is memory for one more partial. */
  isInBudget: (expectedBytes: number, budget: number) => expectedBytes < budget,
  /** Whether a worker has no room for another chunk. `load`: its outstanding chunks relative to its limit. */
  isFull: (load: number) => load >= 1 - EPSILON,
  /** Whether a worker has all the tags that a job requires. */
  hasTags({ tags }: WorkerTraits, required: JobTerms['requires']): boolean {
    for (const key in required) if (tags[key] !== required[key]) return false
    return true
  },
  /** The priority of a job: ready chunks of a higher priority are dispatched first. */
  priorityOf: ({ priority }: JobTerms) => priority,
  /**
   * Whether the chunks of a worker that is gone count as lost with that worker. A worker that leaves in good order has not died.
   */
  losesChunks: (why: WorkerGone): boolean => why !== 'left',
  /** Number of peers that were lost with a chunk. */
  deadPeers: (losses: readonly Loss[]) => new Set(losses.map(({ worker }) => worker)).size,
  /** Whether a chunk was running when one of these peers was lost. */
  wasRunning: (losses: readonly Loss[]) => losses.some(({ ran }) => ran),
  /** Whether a chunk in this mode may be copied. A copy of a chunk that may kill its peer would risk one more peer. */
  mayCopy: (mode: RunMode): boolean => mode === 'plain'
}

export type SchedulerRules = typeof schedulerRules
