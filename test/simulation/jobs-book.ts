/** An independent record of the scheduler's actions. The record throws an error as soon as the scheduler breaks a rule. */
import type {
  LedChunks,
  OfferedChunk,
  RunMode,
  SchedulerEffect,
  SchedulerEvent,
  SchedulerLoad,
  SchedulerSettings
} from '../../src/jobs/scheduler/index.ts'
import { CHUNKS_A_GROUP } from '../../src/tasks/execute/group.ts'
import { DeathBook } from './jobs-deaths.ts'
import type { Failure, SimulatedJob, Tags } from './jobs-world.ts'
import { valueAt } from './jobs-world.ts'

interface Account {
  job: SimulatedJob
  /** Chunks that no worker has: the leader has pulled them, or a worker has returned them. */
  ready: Set<number>
  /** The offers that the leader has neither claimed nor dropped, by chunk and worker. */
  offered: Map<number, Map<string, OfferedChunk['state']>>
  /** The pairs of a failed chunk and the worker at which the chunk failed. */
  failedAt: Set<string>
  /** Chunks whose partials are stored but not folded. */
  held: Set<number>
  kept: Set<number>
  foldNext: number
  folding: boolean
  accumulator: number
}

interface Checkpoint {
  next: number
  accumulator: number
}

interface WorkerAccount {
  slots: number
  tags: Tags
  /** The chunks that the leader dispatched to the worker, as `job index`. */
  outstanding: Set<string>
  /** Chunks whose start the worker has announced. */
  started: Set<string>
  /** The chunks that the worker had when it joined, as `job index`. */
  brought: Set<string>
}

export class JobBook {
  readonly #settings: SchedulerSettings
  readonly #jobs: readonly SimulatedJob[]
  readonly #accounts = new Map<string, Account>()
  readonly #workers = new Map<string, WorkerAccount>()
  /** Chunks whose partials arrived in the current step. */
  readonly #justKept: string[] = []
  readonly #deaths = new DeathBook()
  /** Chunks that were started a second time. */
  copies = 0
  /** Chunks that a new leader left at the workers that already had them. */
  claimed = 0
  readonly #checkpoints = new Map<string, Checkpoint>()
  /** Workers that the leader waits for, because these workers may still report their chunks. */
  #expected = new Set<string>()
  #lives = 0
  /** The counts since the current leadership began. They are compared with the counts that the leader keeps itself. */
  #folded = 0
  #dispatched = 0
  #counted: { led(): LedChunks; load(): SchedulerLoad } | undefined
  /** Number of chunks that were dispatched to run in quarantine. */
  alone = 0
  readonly ended = new Map<string, { state: string; failure: Failure | undefined; result: number }>()

  constructor(jobs: readonly SimulatedJob[], settings: SchedulerSettings) {
    this.#jobs = jobs
    this.#settings = settings
  }

  isOver(job: string): boolean {
    return this.ended.has(job)
  }

  get allOver(): boolean {
    return this.ended.size === this.#jobs.length
  }

  /** Returns the number of folded chunks of a job. */
  foldedOf(job: string): number {
    return this.#accounts.get(job)?.foldNext ?? 0
  }

  /** The checkpoint that the next leader of a job resumes from. */
  checkpointOf(job: string): Checkpoint {
    return this.#checkpoints.get(job) ?? { next: 0, accumulator: 0 }
  }

  /** Takes a checkpoint of a job. Returns the number of chunks that the checkpoint covers. */
  checkpoint(job: string): number | undefined {
    const account = this.#accounts.get(job)
    // While a fold is running, the accumulator already contains the chunks of this fold.
    if (account === undefined || account.folding) return undefined
    this.#checkpoints.set(job, { next: account.foldNext, accumulator: account.accumulator })
    return account.foldNext
  }

  /** Starts over with a new leader, which knows only the checkpoints. Returns false for the first leader. */
  startOver(everyone: readonly string[], counted: { led(): LedChunks; load(): SchedulerLoad }): boolean {
    this.#lives += 1
    this.#folded = 0
    this.#dispatched = 0
    this.#counted = counted
    this.#expected = new Set(this.#lives > 1 ? everyone : [])
    this.#justKept.length = 0
    this.#deaths.startOver()
    this.#accounts.clear()
    this.#workers.clear()
    return this.#lives > 1
  }

  workerJoined(worker: string, slots: number, tags: Tags): void {
    this.#deaths.isBack(worker)
    this.#expected.delete(worker)
    // The worker may have restarted without the leader noticing.
    this.#forgetOffers(worker)
    this.#workers.set(worker, { slots, tags, outstanding: new Set(), started: new Set(), brought: new Set() })
  }

  /** Records the new tags of a worker; returns whether they differ. */
  workerChanged(worker: string, tags: Tags): boolean {
    const account = this.#workers.get(worker)
    if (account === undefined || account.tags === tags) return false
    account.tags = tags
    return true
  }

  /** Records that a chunk ended the process of a worker. */
  killed(worker: string, job: string, index: number): void {
    this.#deaths.killed(worker, `${job} ${index}`)
  }

  workerGone(worker: string, why: 'died' | 'left' | 'lost'): void {
    const { outstanding = [], started = new Set<string>() } = this.#workers.get(worker) ?? {}
    this.#deaths.gone(worker, why, outstanding, started)
    this.#workers.delete(worker)
    if (why !== 'lost') this.#expected.delete(worker)
    this.#forgetOffers(worker)
    for (const chunk of outstanding) {
      const [job = '', index] = chunk.split(' ')
      this.#comesBack(job, Number(index))
    }
  }

  #forgetOffers(worker: string): void {
    for (const { offered } of this.#accounts.values()) for (const workers of offered.values()) workers.delete(worker)
  }

  /** Records that a worker has lost a chunk. The chunk is ready again unless another worker has the same chunk. */
  #comesBack(job: string, index: number): void {
    for (const { outstanding } of this.#workers.values()) if (outstanding.has(`${job} ${index}`)) return
    this.#accounts.get(job)?.ready.add(index)
  }

  /** Records an event before the scheduler gets it. */
  before(event: SchedulerEvent<Failure>): void {
    if (event.type === 'folded') {
      const account = this.#accounts.get(event.job)
      if (account === undefined) return
      for (let index = event.first; index < event.first + event.count; index++) account.held.delete(index)
      account.foldNext = event.first + event.count
      account.folding = false
      this.#folded += event.count
    } else if (event.type === 'pulled') {
      const ready = this.#accounts.get(event.job)?.ready
      for (let i = 0; i < event.sizes.length; i++) ready?.add(event.first + i)
      this.#offers(event.job, event.offered ?? [])
    } else if (event.type === 'worker-joined') {
      for (const [job, chunks] of event.offered ?? []) this.#offers(job, chunks)
    } else if (event.type === 'timer' && event.name === 'offers') {
      this.#expected.clear()
    } else if (event.type === 'returned') {
      for (const index of event.indices) {
        if (this.#workers.get(event.worker)?.outstanding.delete(`${event.job} ${index}`) !== true) continue
        this.#comesBack(event.job, index)
      }
    } else if (event.type === 'starting') {
      const worker = this.#workers.get(event.worker)
      for (const index of event.indices) {
        const chunk = `${event.job} ${index}`
        if (worker?.outstanding.has(chunk) === true) worker.started.add(chunk)
      }
    } else if (event.type === 'outcomes') {
      for (const { index } of event.failed) {
        if (this.#workers.get(event.worker)?.outstanding.delete(`${event.job} ${index}`) !== true) continue
        this.#accounts.get(event.job)?.failedAt.add(`${event.worker} ${index}`)
        this.#comesBack(event.job, index)
      }
    }
  }

  observe(effect: SchedulerEffect<Failure>, cause: SchedulerEvent<Failure>): void {
    switch (effect.type) {
      case 'state':
        if (effect.state === 'accepted') this.#accept(effect.job)
        else if (effect.state !== 'running') this.#end(effect.job, effect.state, effect.failure)
        break
      case 'keep':
        if (cause.type === 'outcomes') this.#keep(cause, effect.positions)
        break
      case 'fold':
        this.#fold(effect)
        break
      case 'dispatch':
        this.#dispatched += effect.indices.length
        this.#dispatch(effect, cause)
        break
      case 'claim':
        this.#claim(effect, cause)
        break
      case 'cancel-chunks':
        this.#cancelChunks(effect)
        break
      case 'never-given':
        throw new Error(`${effect.worker} is accused of ${effect.job} ${effect.indices}, which it never had`)
      default:
    }
  }

  /**
   * The invariants after each step: memory is bounded, folded partials and ended chunks are deleted, and the leader's
   * counts are right.
   */
  check(): void {
    for (const [id, { outstanding }] of this.#workers) {
      for (const chunk of this.#justKept) {
        if (outstanding.has(chunk)) throw new Error(`${chunk} is not cancelled at ${id}, though its partial is there`)
      }
    }
    this.#justKept.length = 0
    for (const account of this.#accounts.values()) {
      for (const index of account.held) {
        if (index < account.foldNext) throw new Error(`${account.job.id}: chunk ${index} is held though it was folded`)
      }
      const most = Math.max(this.#settings.window, groupSize(account.job))
      if (account.held.size > most) throw new Error(`${account.job.id}: more is held than the window`)
    }
    this.#checkCounts()
  }

  #checkCounts(): void {
    if (this.#counted === undefined) return
    const { folded, dispatched } = this.#counted.led()
    const { unfolded } = this.#counted.load()
    let held = 0
    for (const account of this.#accounts.values()) held += account.held.size
    if (folded !== this.#folded || dispatched !== this.#dispatched || unfolded !== held)
      throw new Error(
        `${folded}, ${dispatched} and ${unfolded} chunks are counted as folded, given out and held; it is ${this.#folded}, ${this.#dispatched} and ${held}`
      )
  }

  #accept(id: string): void {
    const job = this.#jobs.find(job => job.id === id)!
    const { next, accumulator } = this.checkpointOf(id)
    const kept = new Set(Array.from({ length: next }, (_, index) => index))
    const account = { job, held: new Set<number>(), kept, foldNext: next, folding: false, accumulator }
    this.#accounts.set(id, { ...account, ready: new Set(), offered: new Map(), failedAt: new Set() })
  }

  #end(id: string, state: string, failure: Failure | undefined): void {
    const account = this.#accounts.get(id)
    if (account === undefined || this.ended.has(id)) throw new Error(`${id} ends twice`)
    if (state === 'completed' && account.foldNext !== account.job.chunks)
      throw new Error(`${id} completes with ${account.foldNext} of ${account.job.chunks} chunks folded`)
    this.#accounts.delete(id)
    for (const worker of this.#workers.values()) {
      for (const chunk of worker.outstanding) if (chunk.startsWith(`${id} `)) worker.outstanding.delete(chunk)
    }
    this.ended.set(id, { state, failure, result: account.accumulator })
  }

  #keep(outcomes: { worker: string; job: string; indices: readonly number[] }, positions: number[]): void {
    const account = this.#accounts.get(outcomes.job)
    if (account === undefined) throw new Error(`${outcomes.job}: outcomes are kept though it is over`)
    for (const position of positions) {
      const index = outcomes.indices[position]!
      if (account.kept.has(index)) throw new Error(`${outcomes.job}: chunk ${index} counts twice`)
      const worker = this.#workers.get(outcomes.worker)
      if (worker?.outstanding.delete(`${outcomes.job} ${index}`) !== true)
        throw new Error(`${outcomes.job}: chunk ${index} counts from ${outcomes.worker}, which does not have it`)
      account.kept.add(index)
      this.#deaths.forget(`${outcomes.job} ${index}`)
      this.#justKept.push(`${outcomes.job} ${index}`)
      account.held.add(index)
    }
  }

  #fold(effect: { job: string; first: number; count: number }): void {
    const account = this.#accounts.get(effect.job)!
    if (account.folding) throw new Error(`${effect.job}: two folds at a time`)
    if (effect.first !== account.foldNext || effect.count < 1)
      throw new Error(`${effect.job}: fold from ${effect.first} where ${account.foldNext} is next`)
    const end = effect.first + effect.count
    const size = groupSize(account.job)
    if (effect.first % size !== 0 || (end % size !== 0 && end !== account.job.chunks))
      throw new Error(`${effect.job}: ${effect.first} to ${end} are folded, which are no whole groups`)
    account.folding = true
    for (let index = effect.first; index < effect.first + effect.count; index++) {
      if (!account.held.has(index)) throw new Error(`${effect.job}: chunk ${index} is folded without a partial`)
      account.accumulator = step(account.accumulator, index)
    }
  }

  #offers(job: string, chunks: readonly OfferedChunk[]): void {
    const offered = this.#accounts.get(job)?.offered
    if (offered === undefined) return
    for (const { index, worker, state } of chunks) {
      const workers = offered.get(index) ?? new Map()
      offered.set(index, workers.set(worker, state))
    }
  }

  #claim(effect: { worker: string; job: string; indices: number[] }, cause: SchedulerEvent<Failure>): void {
    const account = this.#accounts.get(effect.job)
    const worker = this.#workers.get(effect.worker)
    if (account === undefined || worker === undefined) throw new Error(`${effect.job} is claimed where it is not`)
    for (const index of effect.indices) {
      const chunk = `${effect.job} ${index}`
      const state = account.offered.get(index)?.get(effect.worker)
      account.offered.get(index)?.delete(effect.worker)
      if (state === undefined) throw new Error(`${chunk} is claimed from ${effect.worker}, which has not offered it`)
      if (account.kept.has(index)) throw new Error(`${chunk} is claimed though its partial is there`)
      const holders = [...this.#workers].filter(([, { outstanding }]) => outstanding.has(chunk))
      // A worker that joined late may still finish a chunk sooner than the worker that already has the chunk.
      const isLate = cause.type === 'worker-joined' || cause.type === 'pulled'
      if (holders.length > (isLate ? 1 : 0)) throw new Error(`${chunk} is claimed though somebody has it`)
      worker.started.delete(chunk)
      if (state === 'running') worker.started.add(chunk)
      worker.outstanding.add(chunk)
      worker.brought.add(chunk)
      account.ready.delete(index)
      this.claimed += 1
      if (holders.length > 0 || isLowest(account, index)) continue
      if (index >= account.foldNext + this.#settings.window) throw new Error(`${chunk} is claimed beyond the window`)
    }
  }

  #cancelChunks(effect: { worker: string; job: string; indices: number[] }): void {
    for (const index of effect.indices) {
      const chunk = `${effect.job} ${index}`
      if (this.#accounts.get(effect.job)?.offered.get(index)?.delete(effect.worker) === true) continue
      if (this.#accounts.get(effect.job)?.kept.has(index) !== true)
        throw new Error(`${chunk} is cancelled before it ended`)
      if (this.#workers.get(effect.worker)?.outstanding.delete(chunk) !== true)
        throw new Error(`${chunk} is cancelled at ${effect.worker}, which does not have it`)
    }
  }

  /** Whether a worker already has the chunk. Only a speculative copy may be dispatched again. */
  #isCopy(job: SimulatedJob, index: number, worker: string, cause: SchedulerEvent<Failure>): boolean {
    const chunk = `${job.id} ${index}`
    const holders = [...this.#workers].filter(([, { outstanding }]) => outstanding.has(chunk)).map(([id]) => id)
    if (holders.length === 0) return false
    const looks = cause.type === 'outcomes' || (cause.type === 'timer' && cause.name === 'look')
    if (!job.terms.speculate || !looks || holders.length > 1 || holders.includes(worker))
      throw new Error(`${chunk} is dispatched though somebody has it`)
    this.copies += 1
    return true
  }

  /** Checks the order of priorities: a worker gets a chunk only if no job of a higher priority has a chunk for that worker. */
  #noHigherOne({ job: { terms } }: Account, id: string, worker: WorkerAccount): void {
    for (const { job, ready, foldNext, held, failedAt } of this.#accounts.values()) {
      if (job.terms.priority <= terms.priority || ready.size === 0) continue
      if (Object.entries(job.terms.requires).some(([key, value]) => worker.tags[key] !== value)) continue
      const index = Math.min(...ready)
      if (failedAt.has(`${id} ${index}`)) continue
      let expected = held.size
      for (const { outstanding } of this.#workers.values())
        for (const chunk of outstanding) if (chunk.startsWith(`${job.id} `)) expected += 1
      const hasRoom =
        index < foldNext + this.#settings.window &&
        expected * job.partialBytes < this.#settings.partialBudget / this.#accounts.size
      if (isLowest({ job, foldNext }, index) || hasRoom)
        throw new Error(`${job.id} ${index} is passed over at ${id} for a job of lower priority`)
    }
  }

  #dispatch(
    effect: { worker: string; job: string; mode: RunMode; indices: number[] },
    cause: SchedulerEvent<Failure>
  ): void {
    const account = this.#accounts.get(effect.job)
    const worker = this.#workers.get(effect.worker)
    if (account === undefined) throw new Error(`${effect.job} is dispatched though it is over`)
    if (worker === undefined) throw new Error(`${effect.job} is dispatched to ${effect.worker}, which is gone`)
    for (const [key, value] of Object.entries(account.job.terms.requires))
      if (worker.tags[key] !== value)
        throw new Error(`${effect.job} is dispatched to ${effect.worker}, which lacks the tags`)
    this.#noHigherOne(account, effect.worker, worker)
    const budget = this.#settings.partialBudget / this.#accounts.size
    for (const index of effect.indices) {
      const chunk = `${effect.job} ${index}`
      if (account.kept.has(index)) throw new Error(`${chunk} is dispatched though its partial is there`)
      if ((account.offered.get(index)?.size ?? 0) > 0)
        throw new Error(`${chunk} is dispatched, which another worker has`)
      if (this.#expected.size > 0) throw new Error(`${chunk} is dispatched before all have said what they have`)
      const copy = this.#isCopy(account.job, index, effect.worker, cause)
      const lost = this.#deaths.modeOf(chunk)
      if (copy && lost !== 'plain') throw new Error(`${chunk} is started twice though peers died with it`)
      const mode = copy ? 'announced' : lost
      if (effect.mode !== mode) throw new Error(`${chunk} is to run ${effect.mode}, where ${mode} is right`)
      if (mode === 'quarantined') this.alone += 1
      worker.started.delete(chunk)
      worker.brought.delete(chunk)
      worker.outstanding.add(chunk)
      account.ready.delete(index)
      // A speculative copy adds no second partial, so the copy needs no room.
      if (copy || isLowest(account, index)) continue
      if (index >= account.foldNext + this.#settings.window)
        throw new Error(`${chunk} is beyond the window that begins at ${account.foldNext}`)
      if (account.held.size * account.job.partialBytes >= budget) throw new Error(`${chunk} is dispatched over budget`)
    }
    const shortest = Math.min(...[...this.#accounts.values()].map(({ job }) => job.duration[0]))
    const ahead = Math.max(1, Math.floor((worker.slots * 200) / shortest))
    // For each job after the first, a worker may have one chunk above the limit, and the rest of a group (see Dispatcher).
    const groups = Math.max(...[...this.#accounts.values()].map(({ job }) => groupSize(job) - 1))
    const most = worker.slots + ahead + this.#accounts.size - 1 + groups
    let given = 0
    for (const chunk of worker.outstanding) if (!worker.brought.has(chunk)) given += 1
    if (given > most)
      throw new Error(`${effect.worker} has ${worker.outstanding.size} chunks, more than its credit of ${most}`)
  }
}

/** The number of chunks that are folded together. */
function groupSize({ combines }: SimulatedJob): number {
  return combines ? CHUNKS_A_GROUP : 1
}

/** Returns whether the chunk is the next chunk to be folded, or belongs to the group of that next chunk. */
function isLowest({ job, foldNext }: Pick<Account, 'job' | 'foldNext'>, index: number): boolean {
  return index < foldNext + groupSize(job)
}

function step(accumulator: number, index: number): number {
  return (Math.imul(accumulator, 31) + valueAt(index)) >>> 0
}

/** Computes the result of the job on one thread. */
export function oneLoop(chunks: number): number {
  let accumulator = 0
  for (let index = 0; index < chunks; index++) accumulator = step(accumulator, index)
  return accumulator
}
