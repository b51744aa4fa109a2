/**
 * The number of chunks that workers prefetch from the leader, and that the leader prefetches from `split`. Both follow the measured duration of
 * chunks. They are large enough to hide the round trip, and so small that one worker does not hoard the last chunks of a job.
 */
import { isGroupShort } from '../../tasks/execute/group.ts'
import { RecentDuration } from '../shared/chunk-durations.ts'
import type { SchedulerState } from './dispatch.ts'
import type { ScheduledJob, ScheduledWorker } from './scheduled-job.ts'

/** A chunk of this duration (ms) hides any usual round trip by itself, so only one more chunk waits beside the running chunks. */
const LONG_CHUNK = 200
/** The work that may wait at a worker, in ms for each slot: about the time until a new leader resumes. */
const WORK_AHEAD = 200
/** The work that the scheduler dispatches in one turn of a job, in ms. */
const WORK_A_BATCH = 20
const MAX_BATCH = 8_192
/** The largest number of chunks that wait or run at a worker, unless the worker has more slots. */
const MAX_OUTSTANDING = 32_768
/**
 * The largest remembered duration that is used (ms). Longer chunks hide a round trip, and for longer chunks a wrong guess would cost more.
 */
const SHORT_CHUNK = 5
/**
 * Number of chunks that may wait beside the running chunks while only a remembered duration is known. A small job has about this
 * number of chunks per worker.
 */
const REMEMBERED_AHEAD = 16

/** The number of chunks of one job that a worker may have outstanding, and the number that it gets in one turn. */
export class PrefetchWindow {
  readonly #recent = new RecentDuration()
  readonly #remembered: number | undefined
  /**
   * The number of chunks that may wait beside the running chunks. Doubles with each measurement, so that one fast first
   * chunk does not open the window.
   */
  #ramp = 1

  /** @param remembered - the usual time of a chunk of this task in earlier jobs, in ms */
  constructor(remembered?: number) {
    if (remembered === undefined || remembered > SHORT_CHUNK) return
    this.#remembered = remembered
    this.#ramp = REMEMBERED_AHEAD
  }

  /** The milliseconds that a chunk takes. `undefined` before the first outcome. */
  get duration(): number | undefined {
    return this.#recent.mean
  }

  get #expected(): number | undefined {
    return this.#recent.mean ?? this.#remembered
  }

  measure(chunks: number, busyMs: number): void {
    // Reattached chunks that were already done have taken no time.
    if (chunks === 0 || busyMs <= 0) return
    this.#recent.measure(chunks, busyMs)
    this.#ramp = Math.min(MAX_OUTSTANDING, this.#ramp * 2)
  }

  /**
   * Returns the largest number of outstanding chunks at a worker with `slots` slots.
   *
   * @param bulk - whether more chunks wait than the cluster has slots: only then may a long chunk wait behind another
   */
  limit(slots: number, bulk: boolean): number {
    const duration = this.#expected
    if (slots === 0 || duration === undefined) return slots
    if (duration >= LONG_CHUNK) return slots + (bulk ? 1 : 0)
    const ahead = Math.max(1, Math.floor((slots * WORK_AHEAD) / duration))
    return Math.min(slots + Math.min(ahead, this.#ramp), Math.max(MAX_OUTSTANDING, slots + 1))
  }

  /** Whether a group of chunks is so short that a worker may get it at once and combine it. */
  get isGroupShort(): boolean {
    return isGroupShort(this.#expected)
  }

  /** Returns the number of chunks to dispatch in one turn. */
  batch(): number {
    const duration = this.#expected
    if (duration === undefined) return 1
    return Math.min(MAX_BATCH, Math.max(1, Math.floor(WORK_A_BATCH / duration)))
  }
}

/** The smallest number of chunks to keep ready, even if the workers are slow. */
const LEAST_READY = 32
/** Number of chunks in the first pull, before the size of a chunk is known. */
export const FIRST_PULL = 16
/**
 * The leader reads ahead of the workers if split costs less than this (ms a chunk). Then the total of the job is known early.
 */
const CHEAP_SPLIT = 0.1
/** The largest number of bytes of chunks that are read ahead. */
const AHEAD_BYTES = 4 * 2 ** 20

/** Returns the number of chunks to pull from `split` now. Returns 0 if enough chunks are ready. */
export function pullSize(job: ScheduledJob, workers: readonly ScheduledWorker[], state: SchedulerState): number {
  return Math.max(neededByWorkers(job, workers, state), aheadOfWorkers(job, state))
}

/** Returns the number of chunks to read ahead of the workers. Returns 0 for a stream, because the items of a stream wait at the client. */
function aheadOfWorkers(job: ScheduledJob, { jobs, settings: { maxReady, chunkBudget } }: SchedulerState): number {
  const { terms, splitMsEach, chunks } = job
  const { averageChunkBytes, chunkBytes } = chunks
  const ready = chunks.queue.size
  if (terms.ahead !== undefined || averageChunkBytes === undefined) return 0
  if (splitMsEach === undefined || splitMsEach >= CHEAP_SPLIT) return 0
  const mostBytes = Math.min(AHEAD_BYTES, chunkBudget / jobs.size)
  const room = averageChunkBytes === 0 ? maxReady : Math.floor((mostBytes - chunkBytes) / averageChunkBytes)
  const most = Math.min(maxReady - ready, room)
  // After the first refill, the leader refills when half of the bound is used, as in neededByWorkers.
  if (most <= 0) job.isReadAhead = true
  else if (ready <= maxReady / 2 && chunkBytes <= mostBytes / 2) job.isReadAhead = false
  return job.isReadAhead ? 0 : most
}

/** Refills to twice the limits of the workers within the chunk budget, so that no worker runs out of chunks while `split` runs. */
function neededByWorkers(
  { id, terms, chunks }: ScheduledJob,
  workers: readonly ScheduledWorker[],
  { jobs, settings }: SchedulerState
): number {
  let credit = 0
  for (const worker of workers) credit += worker.shares.get(id)?.prefetch.limit(worker.slots, true) ?? worker.slots
  const target = Math.min(settings.maxReady, (terms.ahead?.chunks ?? Infinity) / 2, Math.max(LEAST_READY, 2 * credit))
  const { averageChunkBytes: average } = chunks
  const ready = chunks.queue.size
  // Pulls at least half the target at a time, so that pulls do not shrink to single chunks.
  if (ready > target / 2) return 0
  if (average === undefined) return Math.min(target, FIRST_PULL)
  const room = Math.min(terms.ahead?.bytes ?? Infinity, settings.chunkBudget / jobs.size) - chunks.chunkBytes
  // If no chunk is ready and no chunk is outstanding, one chunk is pulled beyond the budget, because the lowest chunk must
  // always be available.
  if (room <= 0) return ready === 0 && chunks.outstanding === 0 ? 1 : 0
  return Math.max(1, Math.min(target - ready, average === 0 ? target : Math.floor(room / average)))
}
