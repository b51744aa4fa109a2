import type { PeerIdString } from '../../network/types.ts'
import { CHUNKS_A_GROUP, endsGroup } from '../../tasks/execute/group.ts'
import { FairShares } from './fairness.ts'
import type { SchedulerRules } from './rules.ts'
import type { ScheduledJob, ScheduledWorker, Share } from './scheduled-job.ts'
import type { JobTerms, RunMode, SchedulerEffect, SchedulerSettings } from './types.ts'

type Dispatch = Extract<SchedulerEffect<never>, { type: 'dispatch' }>

/** The state that the parts of the scheduler share. */
export interface SchedulerState {
  readonly jobs: ReadonlyMap<string, ScheduledJob>
  readonly workers: ReadonlyMap<PeerIdString, ScheduledWorker>
  readonly settings: SchedulerSettings
  readonly rules: SchedulerRules
  /** What {@link ableWorkers} returned for the terms of a job, since a worker came, changed or went. */
  able: WeakMap<JobTerms, readonly ScheduledWorker[]>
}

/** How far above the lowest chunk of an iteration the dispatcher looks for a chunk whose shard the worker has. */
const LOOK_AHEAD = 64
/** The tolerance for rounding errors in sums of loads. */
const EPSILON = 1e-9

/**
 * Returns the workers with all required tags, which may run the chunks of a job. Spared workers count only if there is no
 * other such worker, because a job must not wait forever when only the leader can compute it.
 */
export function ableWorkers({ terms }: Pick<ScheduledJob, 'terms'>, state: SchedulerState): readonly ScheduledWorker[] {
  const known = state.able.get(terms)
  if (known !== undefined) return known
  const { workers, rules } = state
  const all = [...workers.values()].filter(worker => worker.slots > 0 && rules.hasTags(worker, terms.requires))
  const others = all.filter(({ spared }) => !spared)
  const able = others.length > 0 ? others : all
  state.able.set(terms, able)
  return able
}

/**
 * Gives ready chunks to workers. Jobs of higher priority go first; jobs of equal priority take turns ({@link
 * FairShares}), a batch each. A batch goes to the worker with the least load, lowest indices first.
 *
 * Load is the sum over jobs of outstanding / limit, so chunks of different length can be added up; a worker takes
 * chunks while its load is below 1. With one job this means "outstanding < limit". With several, the last batch may
 * exceed the limit by less than one chunk, or a job of long chunks would starve beside a job of short ones. If partials
 * are combined, a batch ends with a group, which may add a few chunks.
 */
export class Dispatcher {
  readonly #state: SchedulerState
  readonly #shares = new FairShares()

  constructor(state: SchedulerState) {
    this.#state = state
  }

  /** Records that a job begins. The job gets no compensation for slot time before its beginning. */
  add(job: ScheduledJob): void {
    this.#shares.idle(job)
  }

  remove(job: ScheduledJob): void {
    this.#shares.remove(job)
  }

  /** Assigns all chunks that can be assigned now. The chunks of one job, worker and mode form one dispatch. */
  dispatch(now: number): Dispatch[] {
    const dispatches = new Map<string, Dispatch>()
    const closed = new Set<ScheduledWorker>()
    const { jobs, rules } = this.#state
    const priorities = new Set<number>()
    for (const { terms } of jobs.values()) priorities.add(rules.priorityOf(terms))
    const sorted = [...priorities].sort((a, b) => b - a)
    for (const priority of sorted) {
      const able = new Map<ScheduledJob, readonly ScheduledWorker[]>()
      for (const job of jobs.values()) {
        if (rules.priorityOf(job.terms) !== priority) continue
        const workers = this.#hasReady(job) ? ableWorkers(job, this.#state) : []
        if (workers.length === 0) this.#shares.idle(job)
        else able.set(job, workers)
      }
      const waiting = new Set(able.keys())
      this.#shares.resume(waiting)
      while (waiting.size > 0) {
        if (this.#areFull(closed)) {
          // With many small jobs, workers are full nearly always. Then all turns would be in vain.
          this.#shares.tookAll(waiting)
          break
        }
        const job = this.#shares.next(waiting)!
        this.#shares.took(job, waiting)
        // During this loop workers only get more chunks, so a job that gets no slot now gets no slot later.
        if (!this.#turn(job, able.get(job)!, closed, dispatches, now)) waiting.delete(job)
      }
      if (priority !== sorted.at(-1)) for (const [job, workers] of able) this.#close(job, workers, closed)
    }
    return [...dispatches.values()]
  }

  /** Whether no worker has room for a chunk of any job. */
  #areFull(closed: ReadonlySet<ScheduledWorker>): boolean {
    for (const worker of this.#state.workers.values())
      if (!closed.has(worker) && !this.#state.rules.isFull(loadOf(worker))) return false
    return true
  }

  /** Whether window and budget allow a chunk to run. The lowest unfolded group may always run. */
  mayRun({ chunks, terms }: ScheduledJob, index: number): boolean {
    const { jobs, rules, settings } = this.#state
    const above = index - chunks.foldNext
    if (rules.isLowest(above, chunks.groupSize)) return true
    if (!rules.isInWindow(above, Math.min(terms.ahead?.chunks ?? Infinity, settings.window))) return false
    const budget = Math.min(terms.ahead?.bytes ?? Infinity, settings.partialBudget / jobs.size)
    return rules.isInBudget(chunks.expectedPartialBytes, budget)
  }

  /** Whether the job has a chunk that some worker may run. */
  #hasReady(job: ScheduledJob): boolean {
    return !job.isHeldBack && this.#nextFor(job, '', true) !== undefined
  }

  /** The index of the lowest chunk that the worker may run. */
  #nextFor(job: ScheduledJob, worker: PeerIdString, evenAvoided: boolean): number | undefined {
    const index = job.chunks.queue.peek(worker, evenAvoided)
    return index !== undefined && this.mayRun(job, index) ? index : undefined
  }

  /** While a job has chunks to dispatch, its workers take no chunks of jobs with lower priority, because these chunks would run earlier. */
  #close(job: ScheduledJob, workers: readonly ScheduledWorker[], closed: Set<ScheduledWorker>): void {
    if (!this.#hasReady(job)) return
    for (const worker of workers)
      if (this.#nextFor(job, worker.id, workers.length === 1) !== undefined) closed.add(worker)
  }

  /** Gives a batch to the worker with the least load. Returns whether a worker took a batch. */
  #turn(
    job: ScheduledJob,
    workers: readonly ScheduledWorker[],
    closed: ReadonlySet<ScheduledWorker>,
    dispatches: Map<string, Dispatch>,
    now: number
  ): boolean {
    const { chunks } = job
    if (chunks.queue.size === 0) return false
    let slots = 0
    for (const worker of workers) slots += worker.slots
    const bulk = chunks.queue.size > slots
    // A chunk that failed at a worker goes to another worker if there is another worker, even a busy worker. A broken machine fails
    // fast, so it would often be the first worker with a free slot.
    const evenAvoided = workers.length === 1
    const worker = this.#leastLoaded(job, workers, closed, bulk, evenAvoided)
    if (worker === undefined) return false
    const share = worker.share(job)
    const { prefetch } = share
    const room = Math.ceil((1 - loadOf(worker, job, bulk)) * prefetch.limit(worker.slots, bulk) - EPSILON)
    // The ready chunks suffice for two such batches per worker, so near the end of a job no worker gets them all.
    const fair = Math.ceil(chunks.queue.size / (2 * workers.length))
    const batch = Math.min(room, prefetch.batch(), fair)
    // Near the end of a job, even shares matter more than whole groups.
    const wholeGroups = chunks.groupSize > 1 && prefetch.isGroupShort && fair >= CHUNKS_A_GROUP
    let begins = now + this.#backlog(worker)
    let dispatch: Dispatch | undefined
    let last: number
    let taken = 0
    do {
      const index = this.#assign(job, worker, share, evenAvoided, begins)
      if (index === undefined) break
      last = index
      taken += 1
      begins += job.usual.mean / worker.slots
      const mode = chunks.lost.modeOf(index, this.#state.rules)
      if (dispatch?.mode !== mode) dispatch = dispatchOf(dispatches, worker.id, job.id, mode)
      dispatch.indices.push(index)
    } while (
      taken < batch ||
      (wholeGroups && !endsGroup(last) && chunks.queue.peek(worker.id, evenAvoided) === last + 1)
    )
    return true
  }

  /** Assigns the lowest chunk to a worker; for an iteration, the lowest chunk whose shard the worker has, if any. */
  #assign(
    job: ScheduledJob,
    worker: ScheduledWorker,
    share: Share,
    evenAvoided: boolean,
    since: number
  ): number | undefined {
    const { chunks, homes } = job
    const lowest = this.#nextFor(job, worker.id, evenAvoided)
    if (lowest === undefined) return undefined
    // If only one worker can run the job, all chunks go to that worker anyway.
    if (!evenAvoided && !homes.isAt(lowest, worker.id)) {
      const end = Math.min(chunks.queue.end, lowest + LOOK_AHEAD)
      for (let index = lowest + 1; index < end; index++)
        if (homes.isAt(index, worker.id) && this.mayRun(job, index) && chunks.assignFresh(index, share, since))
          return index
    }
    return chunks.assignNext(share, evenAvoided, since)
  }

  /** Returns how long (ms) one more chunk would wait at a worker if all chunks of the worker take the usual time. */
  #backlog(worker: ScheduledWorker): number {
    if (worker.outstanding < worker.slots) return 0
    let ms = 0
    for (const [id, { outstanding }] of worker.shares) ms += outstanding * this.#state.jobs.get(id)!.usual.mean
    return ms / worker.slots
  }

  #leastLoaded(
    job: ScheduledJob,
    workers: readonly ScheduledWorker[],
    closed: ReadonlySet<ScheduledWorker>,
    bulk: boolean,
    evenAvoided: boolean
  ): ScheduledWorker | undefined {
    let best: ScheduledWorker | undefined
    let least = Number.POSITIVE_INFINITY
    for (const worker of workers) {
      if (closed.has(worker)) continue
      const load = loadOf(worker, job, bulk)
      if (this.#state.rules.isFull(load) || load >= least) continue
      if (this.#nextFor(job, worker.id, evenAvoided) === undefined) continue
      best = worker
      least = load
    }
    return best
  }
}

/**
 * Returns the load of the worker: its outstanding chunks relative to its limits, including the chunks of `next` that would be added. No job finds less
 * than the load without `next`.
 */
function loadOf(worker: ScheduledWorker, next?: ScheduledJob, bulk = true): number {
  let load = 0
  for (const [job, { outstanding, prefetch }] of worker.shares)
    if (outstanding > 0) load += outstanding / prefetch.limit(worker.slots, job === next?.id ? bulk : true)
  return load
}

function dispatchOf(dispatches: Map<string, Dispatch>, worker: PeerIdString, job: string, mode: RunMode): Dispatch {
  const key = `${job} ${worker} ${mode}`
  const dispatch = dispatches.get(key) ?? { type: 'dispatch', worker, job, mode, indices: [] }
  dispatches.set(key, dispatch)
  return dispatch
}
