import type { PeerIdString } from '../../network/types.ts'
import { CHUNKS_A_GROUP, endsGroup } from '../../tasks/execute/group.ts'
import { ableWorkers } from './able-workers.ts'
import { FairShares } from './fair-shares.ts'
import type { JobRecord, WorkerRecord } from './scheduled-job.ts'
import type { RunMode, SchedulerRules, SchedulerSettings } from './types.ts'

/** Chunks of one job for one worker, to be run in one way. */
export interface Dispatch {
  worker: PeerIdString
  job: string
  mode: RunMode
  indices: number[]
}

/** How far from the lowest chunk of an iteration one is looked for whose shard a worker has. */
const LOOK_AHEAD = 64
/** Absorbs rounding in sums of shares of credit. */
const EPSILON = 1e-9

/**
 * Gives ready chunks to workers that have credit. Jobs of higher priority come first; those of one priority take
 * turns by the slot time that they have had, a batch each. A batch goes to the worker that is loaded least, lowest indices
 * first.
 *
 * Load is the sum over jobs of outstanding / limit, so that chunks of different length can be added up; a worker takes
 * chunks while its load is below 1. With one job this is "outstanding < limit"; with several, the last batch may go
 * over by less than one chunk, else a job of long chunks would starve beside one of short ones. Where partials are combined, a batch ends
 * with a group, which may be a few chunks more.
 */
export class Dispatcher {
  readonly #jobs: ReadonlyMap<string, JobRecord>
  readonly #workers: ReadonlyMap<PeerIdString, WorkerRecord>
  readonly #settings: SchedulerSettings
  readonly #rules: SchedulerRules
  readonly #shares = new FairShares()

  constructor(
    jobs: ReadonlyMap<string, JobRecord>,
    workers: ReadonlyMap<PeerIdString, WorkerRecord>,
    settings: SchedulerSettings,
    rules: SchedulerRules
  ) {
    this.#jobs = jobs
    this.#workers = workers
    this.#settings = settings
    this.#rules = rules
  }

  /** A job has begun: it has no claim to what others had before. */
  add(job: JobRecord): void {
    this.#shares.rests(job)
  }

  remove(job: JobRecord): void {
    this.#shares.forget(job)
  }

  /** Takes from the queues what can be given out now; chunks of one job for one worker, and of one mode, come as one dispatch. */
  dispatch(now: number): Dispatch[] {
    const dispatches = new Map<string, Dispatch>()
    const closed = new Set<WorkerRecord>()
    for (const jobs of this.#byPriority()) {
      const able = new Map<JobRecord, WorkerRecord[]>()
      for (const job of jobs) {
        const workers = this.#hasReady(job) ? ableWorkers(job, this.#workers.values(), this.#rules.tags) : []
        if (workers.length === 0) this.#shares.rests(job)
        else able.set(job, workers)
      }
      const turns = new Set(able.keys())
      for (let job = this.#shares.next(turns); job !== undefined; job = this.#shares.next(turns)) {
        // All that happens during a dispatch makes workers fuller: a job that gets nothing now gets nothing later.
        if (!this.#turn(job, able.get(job)!, closed, dispatches, now)) turns.delete(job)
      }
      for (const [job, workers] of able) this.#close(job, workers, closed)
    }
    return [...dispatches.values()]
  }

  /** The jobs, those of the highest priority first. */
  #byPriority(): JobRecord[][] {
    const groups = new Map<number, JobRecord[]>()
    for (const job of this.#jobs.values()) {
      const priority = this.#rules.priority ? job.terms.priority : 0
      const group = groups.get(priority)
      if (group === undefined) groups.set(priority, [job])
      else group.push(job)
    }
    return [...groups].sort(([a], [b]) => b - a).map(([, group]) => group)
  }

  /** Whether a job has a chunk that could be given to some worker. */
  #hasReady(job: JobRecord): boolean {
    if (job.awaitsOffers) return false
    const index = job.queue.peek('', true)
    return index !== undefined && this.mayRun(job, index)
  }

  /** Where a job still has a chunk to give, jobs of lower priority get nothing: theirs would run before it. */
  #close(job: JobRecord, workers: readonly WorkerRecord[], closed: Set<WorkerRecord>): void {
    if (!this.#hasReady(job)) return
    for (const worker of workers) {
      const index = job.queue.peek(worker.id, workers.length === 1)
      if (index !== undefined && this.mayRun(job, index)) closed.add(worker)
    }
  }

  #turn(
    job: JobRecord,
    workers: readonly WorkerRecord[],
    closed: ReadonlySet<WorkerRecord>,
    dispatches: Map<string, Dispatch>,
    now: number
  ): boolean {
    if (job.queue.size === 0) return false
    let slots = 0
    for (const worker of workers) slots += worker.slots
    const bulk = job.queue.size > slots
    const choice = this.#leastLoaded(job, workers, closed, bulk)
    if (choice === undefined) return false
    const { worker, load, evenAvoided } = choice
    const share = worker.share(job)
    const room = Math.ceil((1 - load) * share.pace.limit(worker.slots, bulk) - EPSILON)
    // Small enough that what is there goes round twice: near the end of a job nobody gets it all.
    const fair = Math.ceil(job.queue.size / (2 * workers.length))
    const batch = Math.min(this.#rules.credit ? room : Number.POSITIVE_INFINITY, share.pace.batch(), fair)
    // Near the end of a job, to share it evenly counts for more.
    const wholeGroups = job.window.groupSize > 1 && share.pace.isGroupShort && fair >= CHUNKS_A_GROUP
    let taken = 0
    let dispatch: Dispatch | undefined
    let begins = now + this.#backlog(worker)
    let last = -1
    while (taken < batch || (wholeGroups && !endsGroup(last) && job.queue.peek(worker.id, evenAvoided) === last + 1)) {
      const index = this.#take(job, worker, evenAvoided)
      if (index === undefined) break
      taken += 1
      last = index
      const mode = job.deaths.modeOf(index, this.#rules)
      if (dispatch?.mode !== mode) dispatch = dispatchOf(dispatches, worker, job, mode)
      dispatch.indices.push(index)
      share.outstanding.set(index, begins)
      begins += job.usual.mean / worker.slots
      job.outstanding += 1
    }
    return taken > 0
  }

  /** Takes a chunk out for a worker: the lowest, but of an iteration the lowest whose shard it has, if there is one. */
  #take(job: JobRecord, worker: WorkerRecord, evenAvoided: boolean): number | undefined {
    const lowest = job.queue.peek(worker.id, evenAvoided)
    if (lowest === undefined || !this.mayRun(job, lowest)) return undefined
    // What may not even be avoided has nowhere else to go.
    if (!evenAvoided && !job.homes.isAt(lowest, worker.id)) {
      const end = Math.min(job.queue.end, lowest + LOOK_AHEAD)
      for (let index = lowest + 1; index < end; index++)
        if (job.homes.isAt(index, worker.id) && this.mayRun(job, index) && job.queue.removeFresh(index)) return index
    }
    return job.queue.take(worker.id, evenAvoided)
  }

  /** How long (ms) a chunk that a worker gets now has to wait there, when all that it has takes as long as usual. */
  #backlog(worker: WorkerRecord): number {
    if (worker.outstanding < worker.slots) return 0
    let ms = 0
    for (const [id, share] of worker.shares) ms += share.outstanding.size * (this.#jobs.get(id)?.usual.mean ?? 0)
    return ms / worker.slots
  }

  /** The window and the budget; the lowest chunk that is not folded passes both, with those that are folded with it. */
  mayRun(job: JobRecord, index: number): boolean {
    const { foldNext } = job.window
    if (index < foldNext + job.window.groupSize && this.#rules.lowestAlways) return true
    const { ahead = { chunks: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY } } = job.terms
    if (this.#rules.window && index >= foldNext + Math.min(ahead.chunks, this.#settings.window)) return false
    const budget = Math.min(ahead.bytes, this.#settings.partialBudget / this.#jobs.size)
    return !this.#rules.budget || job.expectedPartialBytes < budget
  }

  #leastLoaded(
    job: JobRecord,
    workers: readonly WorkerRecord[],
    closed: ReadonlySet<WorkerRecord>,
    bulk: boolean
  ): { worker: WorkerRecord; load: number; evenAvoided: boolean } | undefined {
    // A chunk that failed at a worker goes to another one, if there is one. However busy the others are: a machine that
    // is broken fails fast, so it would be the first to have a free slot.
    const evenAvoided = workers.length === 1
    let best: { worker: WorkerRecord; load: number; evenAvoided: boolean } | undefined
    for (const worker of workers) {
      if (closed.has(worker)) continue
      const load = this.#load(worker, job, bulk)
      if (load >= 1 - EPSILON && this.#rules.credit) continue
      if (best !== undefined && load >= best.load) continue
      const index = job.queue.peek(worker.id, evenAvoided)
      if (index === undefined || !this.mayRun(job, index)) continue
      best = { worker, load, evenAvoided }
    }
    return best
  }

  #load(worker: WorkerRecord, next: JobRecord, bulk: boolean): number {
    let load = 0
    for (const [job, share] of worker.shares) {
      if (share.outstanding.size === 0) continue
      load += share.outstanding.size / share.pace.limit(worker.slots, job === next.id ? bulk : true)
    }
    return load
  }
}

function dispatchOf(
  dispatches: Map<string, Dispatch>,
  { id: worker }: WorkerRecord,
  { id: job }: JobRecord,
  mode: RunMode
): Dispatch {
  const key = `${job} ${worker} ${mode}`
  let dispatch = dispatches.get(key)
  if (dispatch === undefined) {
    dispatch = { worker, job, mode, indices: [] }
    dispatches.set(key, dispatch)
  }
  return dispatch
}
