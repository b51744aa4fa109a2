import type { PeerIdString } from '../network/types.ts'
import type { JobRecord, WorkerRecord } from './coordinator-job.ts'
import type { CoordinatorRules, CoordinatorSettings } from './coordinator-types.ts'

/** Chunks of one job for one worker. */
export interface Dispatch {
  worker: PeerIdString
  job: string
  indices: number[]
}

/** Absorbs rounding in sums of shares of credit. */
const EPSILON = 1e-9

/**
 * Gives ready chunks to workers that have credit. Jobs take turns, a batch each; a batch goes to the worker that is
 * loaded least, lowest indices first.
 *
 * Load is the sum over jobs of outstanding / limit, so that chunks of different length can be added up; a worker takes
 * chunks while its load is below 1. With one job this is "outstanding < limit"; with several, the last batch may go
 * over by less than one chunk, else a job of long chunks would starve beside one of short ones.
 */
export class Dispatcher {
  readonly #jobs: ReadonlyMap<string, JobRecord>
  readonly #workers: ReadonlyMap<PeerIdString, WorkerRecord>
  readonly #settings: CoordinatorSettings
  readonly #rules: CoordinatorRules
  #turns: string[] = []
  #next = 0

  constructor(
    jobs: ReadonlyMap<string, JobRecord>,
    workers: ReadonlyMap<PeerIdString, WorkerRecord>,
    settings: CoordinatorSettings,
    rules: CoordinatorRules
  ) {
    this.#jobs = jobs
    this.#workers = workers
    this.#settings = settings
    this.#rules = rules
  }

  add(job: string): void {
    this.#turns.push(job)
  }

  remove(job: string): void {
    const at = this.#turns.indexOf(job)
    if (at < 0) return
    this.#turns.splice(at, 1)
    if (at < this.#next) this.#next -= 1
  }

  /** Takes from the queues what can be given out now; chunks of one job for one worker come as one dispatch. */
  dispatch(): Dispatch[] {
    const dispatches = new Map<string, Dispatch>()
    let slots = 0
    for (const worker of this.#workers.values()) slots += worker.slots
    let without = 0
    while (without < this.#turns.length) {
      this.#next %= this.#turns.length
      const job = this.#jobs.get(this.#turns[this.#next]!)!
      // A job that got nothing keeps no claim: its next turn comes as soon as it can use it.
      without = this.#turn(job, slots, dispatches) ? 0 : without + 1
      this.#next += 1
    }
    return [...dispatches.values()]
  }

  #turn(job: JobRecord, slots: number, dispatches: Map<string, Dispatch>): boolean {
    if (job.queue.size === 0) return false
    const bulk = job.queue.size > slots
    const choice = this.#leastLoaded(job, bulk)
    if (choice === undefined) return false
    const { worker, load, evenAvoided } = choice
    const share = worker.share(job.id)
    const room = Math.ceil((1 - load) * share.pace.limit(worker.slots, bulk) - EPSILON)
    // Small enough that what is there goes round twice: near the end of a job nobody gets it all.
    const fair = Math.ceil(job.queue.size / (2 * this.#workers.size))
    const batch = Math.min(this.#rules.credit ? room : Number.POSITIVE_INFINITY, share.pace.batch(), fair)
    const taken: number[] = []
    while (taken.length < batch) {
      const index = job.queue.peek(worker.id, evenAvoided)
      if (index === undefined || !this.#mayRun(job, index)) break
      job.queue.take(worker.id, evenAvoided)
      taken.push(index)
      share.outstanding.add(index)
      job.outstanding += 1
    }
    if (taken.length === 0) return false
    const key = `${job.id} ${worker.id}`
    const dispatch = dispatches.get(key)
    if (dispatch === undefined) dispatches.set(key, { worker: worker.id, job: job.id, indices: taken })
    else dispatch.indices.push(...taken)
    return true
  }

  /** The window and the budget; the lowest chunk that is not folded passes both. */
  #mayRun(job: JobRecord, index: number): boolean {
    const { foldNext } = job.window
    if (index === foldNext && this.#rules.lowestAlways) return true
    if (this.#rules.window && index >= foldNext + this.#settings.window) return false
    return !this.#rules.budget || job.expectedPartialBytes < this.#settings.partialBudget / this.#jobs.size
  }

  #leastLoaded(
    job: JobRecord,
    bulk: boolean
  ): { worker: WorkerRecord; load: number; evenAvoided: boolean } | undefined {
    let computing = 0
    for (const worker of this.#workers.values()) if (worker.slots > 0) computing += 1
    // A chunk that failed at a worker goes to another one, if there is one. However busy the others are: a machine that
    // is broken fails fast, so it would be the first to have a free slot.
    const evenAvoided = computing === 1
    let best: { worker: WorkerRecord; load: number; evenAvoided: boolean } | undefined
    for (const worker of this.#workers.values()) {
      if (worker.slots === 0) continue
      const load = this.#load(worker, job, bulk)
      if (load >= 1 - EPSILON && this.#rules.credit) continue
      if (best !== undefined && load >= best.load) continue
      const index = job.queue.peek(worker.id, evenAvoided)
      if (index === undefined || !this.#mayRun(job, index)) continue
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
