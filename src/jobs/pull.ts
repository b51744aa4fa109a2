import type { JobRecord, WorkerRecord } from './coordinator-job.ts'
import type { CoordinatorSettings } from './coordinator-types.ts'

/** Chunks that wait for a worker even where nothing is known of how fast they go. */
const LEAST_READY = 32
/** Until the size of chunks is known, they are pulled in small numbers. */
export const FIRST_PULL = 16

/**
 * How many chunks to take from `split` now; 0: enough are there. Enough is twice what the workers may have outstanding,
 * so they are filled up again while `split` goes on, within the chunk budget.
 */
export function pullSize(
  job: JobRecord,
  workers: readonly WorkerRecord[],
  settings: CoordinatorSettings,
  jobs: number
): number {
  let credit = 0
  for (const worker of workers) credit += worker.shares.get(job.id)?.pace.limit(worker.slots, true) ?? worker.slots
  const { ahead = { chunks: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY } } = job.terms
  const target = Math.min(settings.maxReady, ahead.chunks / 2, Math.max(LEAST_READY, 2 * credit))
  const ready = job.queue.size
  // Half a target at a time, so that pulls don't shrink to single chunks.
  if (ready > target / 2) return 0
  const average = job.averageChunkBytes
  if (average === undefined) return Math.min(target, FIRST_PULL)
  const room = Math.min(ahead.bytes, settings.chunkBudget / jobs) - job.chunkBytes
  // The lowest chunk must always be obtainable: with nothing to run and nothing running, one is taken whatever the budget says.
  if (room <= 0) return ready === 0 && job.outstanding === 0 ? 1 : 0
  return Math.max(1, Math.min(target - ready, average === 0 ? target : Math.floor(room / average)))
}
