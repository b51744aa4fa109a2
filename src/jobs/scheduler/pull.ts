import type { JobRecord, WorkerRecord } from './scheduled-job.ts'
import type { SchedulerSettings } from './types.ts'

/** Chunks that wait for a worker even where nothing is known of how fast they go. */
const LEAST_READY = 32
/** Until the size of chunks is known, they are pulled in small numbers. */
export const FIRST_PULL = 16

/** A split that takes less for a chunk (ms) is read ahead of the workers: it costs little, and the job's total is known early. */
const CHEAP_MS = 0.1
/** Chunks that are read ahead are no more bytes than this. */
const AHEAD_BYTES = 4 * 2 ** 20

/** How many chunks to take from `split` now; 0: enough are there. */
export function pullSize(
  job: JobRecord,
  workers: readonly WorkerRecord[],
  settings: SchedulerSettings,
  jobs: number
): number {
  return Math.max(needed(job, workers, settings, jobs), ahead(job, settings, jobs))
}

/** As many as are read before anybody needs them. Of a stream none: its items wait where they come from. */
function ahead(job: JobRecord, { maxReady, chunkBudget }: SchedulerSettings, jobs: number): number {
  const { terms, splitMsEach, queue, averageChunkBytes, chunkBytes } = job
  if (terms.ahead !== undefined || averageChunkBytes === undefined) return 0
  if (splitMsEach === undefined || splitMsEach >= CHEAP_MS) return 0
  const mostBytes = Math.min(AHEAD_BYTES, chunkBudget / jobs)
  const room = averageChunkBytes === 0 ? maxReady : Math.floor((mostBytes - chunkBytes) / averageChunkBytes)
  const most = Math.min(maxReady - queue.size, room)
  // Then half of it at a time, as below.
  if (most <= 0) job.isReadAhead = true
  else if (queue.size <= maxReady / 2 && chunkBytes <= mostBytes / 2) job.isReadAhead = false
  return job.isReadAhead ? 0 : most
}

/**
 * As many as the workers need: twice what they may have outstanding, so they are filled up again while `split` goes on, within the chunk
 * budget.
 */
function needed(job: JobRecord, workers: readonly WorkerRecord[], settings: SchedulerSettings, jobs: number): number {
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
