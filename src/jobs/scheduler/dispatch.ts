import type { PeerIdString } from '../../network/types.ts'
import { CHUNKS_A_GROUP, endsGroup } from '../../tasks/execute/group.ts'
import { FairShares } from './fairness.ts'
import type { SchedulerRules } from './rules.ts'
import type { ScheduledJob, ScheduledWorker, Share } from './scheduled-job.ts'
import type { RunMode, SchedulerEffect, SchedulerSettings } from './types.ts'

type Dispatch = Extract<SchedulerEffect<never>, { type: 'dispatch' }>

/** What the scheduler knows and goes by. */
export interface SchedulerState {
  readonly jobs: ReadonlyMap<string, ScheduledJob>
  readonly workers: ReadonlyMap<PeerIdString, ScheduledWorker>
  readonly settings: SchedulerSettings
  readonly rules: SchedulerRules
}

/** How far above the lowest chunk of an iteration the dispatcher looks for a chunk whose shard a worker has. */
const LOOK_AHEAD = 64
/** Absorbs rounding in sums of loads. */
const EPSILON = 1e-9

/**
 * The workers that chunks of a job may be given to: those with all the tags that it requires. A spared worker is one of them only where there is
 * no other: a job must not wait for ever because the only machine that can compute it happens to lead.
 */
export function ableWorkers(job: ScheduledJob, { workers, rules }: SchedulerState): ScheduledWorker[] {
  const able: ScheduledWorker[] = []
  for (const worker of workers.values())
    if (worker.slots > 0 && rules.hasTags(worker, job.terms.requires)) able.push(worker)
  const others = able.filter(({ spared }) => !spared)
  return others.length > 0 ? others : able
}

/**
 * Gives ready chunks to workers. Jobs of higher priority come first; those of one priority take turns ({@link FairShares}), a batch each.
 * A batch goes to the worker with the least load, lowest indices first.
 *
 * Load is the sum over jobs of outstanding / limit, so that chunks of different length can be added up; a worker takes chunks while its load
 * is below 1. With one job this is "outstanding < limit"; with several, the last batch may exceed it by less than one chunk, else a job of long
 * chunks would starve beside one of short ones. Where partials are combined, a batch ends with a group, which may be a few chunks more.
 */
export class Dispatcher {
  readonly #state: SchedulerState
  readonly #shares = new FairShares()

  constructor(state: SchedulerState) {
    this.#state = state
  }

  /** A job begins: it has no claim to the time before. */
  add(job: ScheduledJob): void {
    this.#shares.idle(job)
  }

  remove(job: ScheduledJob): void {
    this.#shares.remove(job)
  }

  /** Assigns all chunks that can be assigned now; chunks of one job, worker and mode come as one dispatch. */
  dispatch(now: number): Dispatch[] {
    const dispatches = new Map<string, Dispatch>()
    const closed = new Set<ScheduledWorker>()
    const { jobs, rules } = this.#state
    const priorities = new Set([...jobs.values()].map(({ terms }) => rules.priorityOf(terms)))
    for (const priority of [...priorities].sort((a, b) => b - a)) {
      const able = new Map<ScheduledJob, ScheduledWorker[]>()
      for (const job of jobs.values()) {
        if (rules.priorityOf(job.terms) !== priority) continue
        const workers = this.#hasReady(job) ? ableWorkers(job, this.#state) : []
        if (workers.length === 0) this.#shares.idle(job)
        else able.set(job, workers)
      }
      let waiting = [...able.keys()]
      this.#shares.resume(waiting)
      for (let job = this.#shares.next(waiting); job !== undefined; job = this.#shares.next(waiting)) {
        this.#shares.took(job, waiting)
        // Workers only become fuller meanwhile: a job that gets nothing now gets nothing later.
        if (!this.#turn(job, able.get(job)!, closed, dispatches, now)) waiting = waiting.filter(other => other !== job)
      }
      for (const [job, workers] of able) this.#close(job, workers, closed)
    }
    return [...dispatches.values()]
  }

  /** Whether window and budget allow a chunk to run; they always allow the lowest unfolded one, with those that are folded with it. */
  mayRun({ chunks, terms }: ScheduledJob, index: number): boolean {
    const { jobs, rules, settings } = this.#state
    const above = index - chunks.foldNext
    if (rules.isLowest(above, chunks.groupSize)) return true
    if (!rules.isInWindow(above, Math.min(terms.ahead?.chunks ?? Infinity, settings.window))) return false
    const budget = Math.min(terms.ahead?.bytes ?? Infinity, settings.partialBudget / jobs.size)
    return rules.isInBudget(chunks.expectedPartialBytes, budget)
  }

  /** Whether a job has a chunk that some worker could be given. */
  #hasReady(job: ScheduledJob): boolean {
    return !job.awaitsOffers && this.#nextFor(job, '', true) !== undefined
  }

  /** The lowest chunk that a worker may be given. */
  #nextFor(job: ScheduledJob, worker: PeerIdString, evenAvoided: boolean): number | undefined {
    const index = job.chunks.queue.peek(worker, evenAvoided)
    return index !== undefined && this.mayRun(job, index) ? index : undefined
  }

  /** Where a job still has a chunk to give, jobs of lower priority get nothing: theirs would run before it. */
  #close(job: ScheduledJob, workers: readonly ScheduledWorker[], closed: Set<ScheduledWorker>): void {
    if (!this.#hasReady(job)) return
    for (const worker of workers)
      if (this.#nextFor(job, worker.id, workers.length === 1) !== undefined) closed.add(worker)
  }

  /** Gives a batch to the worker with the least load. Whether there was one. */
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
    // A chunk that failed at a worker goes to another one, if there is one, however busy that is: a broken machine fails fast, so it would be
    // the first to have a free slot.
    const evenAvoided = workers.length === 1
    const worker = this.#leastLoaded(job, workers, closed, bulk, evenAvoided)
    if (worker === undefined) return false
    const share = worker.share(job)
    const { prefetch } = share
    const room = Math.ceil((1 - loadOf(worker, job, bulk)) * prefetch.limit(worker.slots, bulk) - EPSILON)
    // So small that all ready chunks go round twice: near the end of a job no worker gets them all.
    const fair = Math.ceil(chunks.queue.size / (2 * workers.length))
    const batch = Math.min(room, prefetch.batch(), fair)
    // Near the end of a job, an even share counts for more.
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

  /** Assigns the lowest chunk to a worker, but of an iteration the lowest chunk whose shard it has, if there is one. */
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
    // With one able worker, its chunks have nowhere else to go.
    if (!evenAvoided && !homes.isAt(lowest, worker.id)) {
      const end = Math.min(chunks.queue.end, lowest + LOOK_AHEAD)
      for (let index = lowest + 1; index < end; index++)
        if (homes.isAt(index, worker.id) && this.mayRun(job, index) && chunks.assignFresh(index, share, since))
          return index
    }
    return chunks.assignNext(share, evenAvoided, since)
  }

  /** How long (ms) one more chunk has to wait at a worker, if all of its chunks take as long as usual. */
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

/** The chunks that a worker has, as a share of those that it may have; it could be given chunks of the job `next`. */
function loadOf(worker: ScheduledWorker, next: ScheduledJob, bulk: boolean): number {
  let load = 0
  for (const [job, { outstanding, prefetch }] of worker.shares)
    if (outstanding > 0) load += outstanding / prefetch.limit(worker.slots, job === next.id ? bulk : true)
  return load
}

function dispatchOf(dispatches: Map<string, Dispatch>, worker: PeerIdString, job: string, mode: RunMode): Dispatch {
  const key = `${job} ${worker} ${mode}`
  const dispatch = dispatches.get(key) ?? { type: 'dispatch', worker, job, mode, indices: [] }
  dispatches.set(key, dispatch)
  return dispatch
}
