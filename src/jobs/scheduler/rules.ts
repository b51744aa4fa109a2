/**
 * The rules that keep the result exact and the load fair, one function each. They are injected, so that a test can
 * break one of them and check that the simulation notices.
 */
import type { Loss } from './lost-workers.ts'
import type { JobTerms, OfferedChunk, RunMode, WorkerGone, WorkerTraits } from './types.ts'

/** Absorbs rounding in sums of loads. */
const EPSILON = 1e-9

export const schedulerRules = {
  /** Whether a partial counts; `isAssigned`: its sender has the chunk. */
  partialCounts: (isAssigned: boolean) => isAssigned,
  /** Whether a failure counts; `isAssigned`: its sender has the chunk. */
  failureCounts: (isAssigned: boolean) => isAssigned,
  /** Whether a chunk of a lost worker goes back to the queue; `isElsewhere`: another worker has a copy. */
  requeues: (isElsewhere: boolean) => !isElsewhere,
  /** Whether the worker with the other copy is told to drop it when the chunk is done. */
  cancelsCopies: () => true,
  /** Whether chunks that workers retain from earlier leaderships stay with these workers. */
  acceptsOffers: () => true,
  /** Whether a retained chunk in this state counts as running once it is claimed. */
  countsAsRunning: (state: OfferedChunk['state']): boolean => state === 'running',
  /**
   * Whether a job waits for offers; `isResumed`: an earlier leader had the job; `awaited`: number of workers that may
   * still offer chunks.
   */
  awaitsOffers: (isResumed: boolean, awaited: number) => isResumed && awaited > 0,
  /**
   * Whether a chunk may run regardless of the bounds: it is this far above the lowest unfolded chunk, in a job folded
   * in groups of this size.
   */
  isLowest: (above: number, groupSize: number) => above < groupSize,
  /** Whether a chunk this far above the lowest unfolded one is within the window. */
  isInWindow: (above: number, window: number) => above < window,
  /** Whether there is memory for one more partial. */
  isInBudget: (expectedBytes: number, budget: number) => expectedBytes < budget,
  /** Whether a worker is full; `load`: its outstanding chunks relative to its limit. */
  isFull: (load: number) => load >= 1 - EPSILON,
  /** Whether a worker has all the tags that a job requires. */
  hasTags({ tags }: WorkerTraits, required: JobTerms['requires']): boolean {
    for (const key in required) if (tags[key] !== required[key]) return false
    return true
  },
  /** The priority of a job: ready chunks of a higher priority are dispatched first. */
  priorityOf: ({ priority }: JobTerms) => priority,
  /**
   * Whether the chunks of a worker that is gone count as lost with it: a worker that leaves in good order has not died.
   */
  losesChunks: (why: WorkerGone): boolean => why !== 'left',
  /** Number of peers that were lost with a chunk. */
  deadPeers: (losses: readonly Loss[]) => new Set(losses.map(({ worker }) => worker)).size,
  /** Whether a chunk was running when one of these peers was lost. */
  wasRunning: (losses: readonly Loss[]) => losses.some(({ ran }) => ran),
  /** Whether a chunk in this mode may be copied: a copy of a lost chunk would risk one more peer. */
  mayCopy: (mode: RunMode): boolean => mode === 'plain'
}

export type SchedulerRules = typeof schedulerRules
