/**
 * Prefetch sizes: of workers from the leader, and of the leader from `split`. Both follow the measured duration of
 * chunks: enough to hide the round trip, but not enough for one worker to hoard the end of a job.
 */
import { isGroupShort } from '../../tasks/execute/group.ts'
import { RecentDuration } from '../shared/chunk-durations.ts'
import type { SchedulerState } from './dispatch.ts'
import type { ScheduledJob, ScheduledWorker } from './scheduled-job.ts'

/** A chunk of this duration (ms) hides any usual round trip by itself: only one more waits beside the running ones. */
const LONG_CHUNK = 200
/** The work that may wait at a worker, in ms for each slot: about the time until a new leader resumes. */
const WORK_AHEAD = 200
/** The work that one turn of a job dispatches, in ms. */
const WORK_A_BATCH = 20
const MAX_BATCH = 8_192
/** The most chunks that wait or run at a worker, unless the worker has more slots. */
const MAX_OUTSTANDING = 32_768
/**
 * The largest remembered duration that counts (ms): longer chunks hide a round trip, and a wrong guess would cost more.
 */
const SHORT_CHUNK = 5
/**
 * Number of chunks that may wait beside the running ones while only a remembered duration is known: about a small job's
 * chunks per worker.
 */
const REMEMBERED_AHEAD = 16

/** The number of chunks of one job that a worker may have outstanding, and that it gets at once. */
export class PrefetchWindow {
  readonly #recent = new RecentDuration()
  readonly #remembered: number | undefined
  /**
   * The number of chunks that may wait beside the running ones. Doubles with each measurement, so that one fast first
   * chunk does not open the window.
   */
  #ramp = 1

  /** @param remembered - the usual time of a chunk of this task in earlier jobs, in ms */
  constructor(remembered?: number) {
    if (remembered === undefined || remembered > SHORT_CHUNK) return
    this.#remembered = remembered
    this.#ramp = REMEMBERED_AHEAD
  }

  /** Milliseconds a chunk; `undefined` before the first outcome. */
  get duration(): number | undefined {
    return this.#recent.mean
  }

  get #expected(): number | undefined {
    return this.#recent.mean ?? this.#remembered
  }

  measure(chunks: number, busyMs: number): void {
    // Reattached chunks that were done already took no time.
    if (chunks === 0 || busyMs <= 0) return
    this.#recent.measure(chunks, busyMs)
    this.#ramp = Math.min(MAX_OUTSTANDING, this.#ramp * 2)
  }

  /**
   * The most chunks outstanding at a worker with `slots` slots.
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

  /** Number of chunks to dispatch in one turn. */
  batch(): number {
    const duration = this.#expected
    if (duration === undefined) return 1
    return Math.min(MAX_BATCH, Math.max(1, Math.floor(WORK_A_BATCH / duration)))
  }
}

/** The least number of chunks to keep ready, however slow the workers are. */
const LEAST_READY = 32
/** Number of chunks in the first pull, before their size is known. */
export const FIRST_PULL = 16
/**
 * A split below this cost (ms a chunk) is read ahead of the workers: it is cheap, and the job's total is known early.
 */
const CHEAP_SPLIT = 0.1
/** The most bytes of chunks that are read ahead. */
const AHEAD_BYTES = 4 * 2 ** 20

/** The number of chunks to pull from `split` now; 0 if enough chunks are ready. */
export function pullSize(job: ScheduledJob, workers: readonly ScheduledWorker[], state: SchedulerState): number {
  return Math.max(neededByWorkers(job, workers, state), aheadOfWorkers(job, state))
}

/** The number of chunks to read ahead of the workers. Always 0 for a stream, whose items wait at the client. */
function aheadOfWorkers(job: ScheduledJob, { jobs, settings: { maxReady, chunkBudget } }: SchedulerState): number {
  const { terms, splitMsEach, chunks } = job
  const { averageChunkBytes, chunkBytes } = chunks
  const ready = chunks.queue.size
  if (terms.ahead !== undefined || averageChunkBytes === undefined) return 0
  if (splitMsEach === undefined || splitMsEach >= CHEAP_SPLIT) return 0
  const mostBytes = Math.min(AHEAD_BYTES, chunkBudget / jobs.size)
  const room = averageChunkBytes === 0 ? maxReady : Math.floor((mostBytes - chunkBytes) / averageChunkBytes)
  const most = Math.min(maxReady - ready, room)
  // After that, refill when half of the bound is gone, as in neededByWorkers.
  if (most <= 0) job.isReadAhead = true
  else if (ready <= maxReady / 2 && chunkBytes <= mostBytes / 2) job.isReadAhead = false
  return job.isReadAhead ? 0 : most
}

/** Refills to twice the workers' limits, so that they do not run dry while `split` runs, within the chunk budget. */
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
  // With nothing ready and nothing outstanding, one chunk is pulled beyond the budget: the lowest chunk must be
  // obtainable.
  if (room <= 0) return ready === 0 && chunks.outstanding === 0 ? 1 : 0
  return Math.max(1, Math.min(target - ready, average === 0 ? target : Math.floor(room / average)))
}
