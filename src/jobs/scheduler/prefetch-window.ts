/**
 * How far chunks are fetched ahead: by workers from the leader, and by the leader from `split`. Both follow the measured duration of chunks:
 * enough to hide the round trip, not so much that one worker hoards the end of a job.
 */
import { isGroupShort } from '../../tasks/execute/group.ts'
import { RecentDuration } from '../shared/chunk-durations.ts'
import type { SchedulerState } from './dispatch.ts'
import type { ScheduledJob, ScheduledWorker } from './scheduled-job.ts'

/** A chunk that takes longer (ms) hides any usual round trip itself: only one waits beside those that run. */
const LONG_CHUNK = 200
/** How much work (ms for each slot) may wait at a worker: about as long as it takes until a next leader goes on. */
const WORK_AHEAD = 200
/** How much work (ms) one turn of a job dispatches. */
const WORK_A_BATCH = 20
const MAX_BATCH = 8_192
/** The most chunks that wait or run at one worker, unless it has more slots. */
const MAX_OUTSTANDING = 32_768
/** A remembered duration counts only up to this (ms): longer chunks hide a round trip, and a mistake would cost more. */
const SHORT_CHUNK = 5
/** How many chunks may wait beside the running ones while only a remembered duration is known: as many as a small job has for each worker. */
const REMEMBERED_AHEAD = 16

/** How many chunks of one job a worker may have outstanding, and how many it gets at once. */
export class PrefetchWindow {
  readonly #recent = new RecentDuration()
  readonly #remembered: number | undefined
  /** How many chunks may wait beside the running ones; doubles with each measurement, so that one lucky first chunk does not open the window. */
  #ramp = 1

  /** @param remembered - milliseconds that a chunk of the same task took before */
  constructor(remembered?: number) {
    if (remembered === undefined || remembered > SHORT_CHUNK) return
    this.#remembered = remembered
    this.#ramp = REMEMBERED_AHEAD
  }

  /** Milliseconds a chunk; undefined before the first outcome. */
  get duration(): number | undefined {
    return this.#recent.mean
  }

  get #expected(): number | undefined {
    return this.#recent.mean ?? this.#remembered
  }

  measure(chunks: number, busyMs: number): void {
    // Chunks that the worker had before it was asked for them took no time.
    if (chunks === 0 || busyMs <= 0) return
    this.#recent.measure(chunks, busyMs)
    this.#ramp = Math.min(MAX_OUTSTANDING, this.#ramp * 2)
  }

  /**
   * The most chunks outstanding at a worker with `slots` slots.
   *
   * @param bulk - more chunks wait than the cluster has slots: only then may a long chunk wait behind another
   */
  limit(slots: number, bulk: boolean): number {
    const duration = this.#expected
    if (slots === 0 || duration === undefined) return slots
    if (duration >= LONG_CHUNK) return slots + (bulk ? 1 : 0)
    const ahead = Math.max(1, Math.floor((slots * WORK_AHEAD) / duration))
    return Math.min(slots + Math.min(ahead, this.#ramp), Math.max(MAX_OUTSTANDING, slots + 1))
  }

  /** Whether a worker may be given a whole group of chunks at once, to be combined there. */
  get isGroupShort(): boolean {
    return isGroupShort(this.#expected)
  }

  /** Chunks to dispatch in one turn. */
  batch(): number {
    const duration = this.#expected
    if (duration === undefined) return 1
    return Math.min(MAX_BATCH, Math.max(1, Math.floor(WORK_A_BATCH / duration)))
  }
}

/** The least chunks that wait for a worker, however slow the workers are. */
const LEAST_READY = 32
/** Chunks in the first pull, before their size is known. */
export const FIRST_PULL = 16
/** A split that takes less (ms a chunk) is read ahead of the workers: it costs little, and the total of the job is known early. */
const CHEAP_SPLIT = 0.1
/** The most bytes of chunks that are read ahead. */
const AHEAD_BYTES = 4 * 2 ** 20

/** How many chunks to pull from `split` now; 0: enough chunks are ready. */
export function pullSize(job: ScheduledJob, workers: readonly ScheduledWorker[], state: SchedulerState): number {
  return Math.max(neededByWorkers(job, workers, state), aheadOfWorkers(job, state))
}

/** The items of a stream are never read ahead: they wait where they come from. */
function aheadOfWorkers(job: ScheduledJob, { jobs, settings: { maxReady, chunkBudget } }: SchedulerState): number {
  const { terms, splitMsEach, chunks } = job
  const { averageChunkBytes, chunkBytes } = chunks
  const ready = chunks.queue.size
  if (terms.ahead !== undefined || averageChunkBytes === undefined) return 0
  if (splitMsEach === undefined || splitMsEach >= CHEAP_SPLIT) return 0
  const mostBytes = Math.min(AHEAD_BYTES, chunkBudget / jobs.size)
  const room = averageChunkBytes === 0 ? maxReady : Math.floor((mostBytes - chunkBytes) / averageChunkBytes)
  const most = Math.min(maxReady - ready, room)
  // From then on half of it at a time, as below.
  if (most <= 0) job.isReadAhead = true
  else if (ready <= maxReady / 2 && chunkBytes <= mostBytes / 2) job.isReadAhead = false
  return job.isReadAhead ? 0 : most
}

/** Twice what the workers may have outstanding, so that they are refilled while `split` goes on, within the chunk budget. */
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
  // Half a target at a time, so that pulls don't shrink to single chunks.
  if (ready > target / 2) return 0
  if (average === undefined) return Math.min(target, FIRST_PULL)
  const room = Math.min(terms.ahead?.bytes ?? Infinity, settings.chunkBudget / jobs.size) - chunks.chunkBytes
  // With nothing ready and nothing running one chunk is pulled whatever the budget says: the lowest chunk must be obtainable.
  if (room <= 0) return ready === 0 && chunks.outstanding === 0 ? 1 : 0
  return Math.max(1, Math.min(target - ready, average === 0 ? target : Math.floor(room / average)))
}
