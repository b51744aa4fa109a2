/**
 * The rules that keep the result exact and the workers fairly loaded, each one function. Handed to the scheduler, so that a test can break
 * one of them and see that the simulation notices.
 */
import type { Loss } from './lost-workers.ts'
import type { JobTerms, OfferedChunk, RunMode, WorkerGone, WorkerTraits } from './types.ts'

/** Absorbs rounding in sums of loads. */
const EPSILON = 1e-9

export const schedulerRules = {
  /** Whether a partial counts, by whether the worker that sent it has the chunk. */
  partialCounts: (isAssigned: boolean) => isAssigned,
  /** Whether a failure counts, by whether the worker that reports it has the chunk. */
  failureCounts: (isAssigned: boolean) => isAssigned,
  /** Whether a chunk of a worker that is gone goes back to the queue; `isElsewhere`: another worker has a copy. */
  requeues: (isElsewhere: boolean) => !isElsewhere,
  /** Whether the worker that has the other copy of a chunk is told to drop it, once the chunk is done. */
  cancelsCopies: () => true,
  /** Whether chunks that workers retain from earlier leaderships stay with these workers. */
  acceptsOffers: () => true,
  /** Whether a retained chunk in this state counts as running from when it is claimed. */
  countsAsRunning: (state: OfferedChunk['state']): boolean => state === 'running',
  /** Whether a job waits for offers; `isResumed`: an earlier leader had it; `awaited`: workers that may still offer something. */
  awaitsOffers: (isResumed: boolean, awaited: number) => isResumed && awaited > 0,
  /** Whether a chunk this far above the lowest unfolded one may run in any case, in a job that is folded by groups of this size. */
  isLowest: (above: number, groupSize: number) => above < groupSize,
  /** Whether a chunk this far above the lowest unfolded one is within the window. */
  isInWindow: (above: number, window: number) => above < window,
  /** Whether there is memory for one more partial. */
  isInBudget: (expectedBytes: number, budget: number) => expectedBytes < budget,
  /** Whether a worker gets no more chunks for now; `load`: the chunks it has, as a share of those that it may have. */
  isFull: (load: number) => load >= 1 - EPSILON,
  /** Whether a worker has all the tags that a job requires. */
  hasTags({ tags }: WorkerTraits, required: JobTerms['requires']): boolean {
    for (const key in required) if (tags[key] !== required[key]) return false
    return true
  },
  /** Ready chunks of jobs with a higher number are dispatched first. */
  priorityOf: ({ priority }: JobTerms) => priority,
  /** Whether the chunks of a worker that is gone count as lost with it: one that leaves in good order has not died. */
  losesChunks: (why: WorkerGone): boolean => why !== 'left',
  /** How many peers were lost with a chunk. */
  deadPeers: (losses: readonly Loss[]) => new Set(losses.map(({ worker }) => worker)).size,
  /** Whether a chunk was running when one of these peers was lost. */
  wasRunning: (losses: readonly Loss[]) => losses.some(({ ran }) => ran),
  /** Whether a chunk that runs in this mode may be started a second time: a copy of a lost chunk would put one more peer at risk. */
  mayCopy: (mode: RunMode): boolean => mode === 'plain'
}

export type SchedulerRules = typeof schedulerRules
