/** An independent account of what the coordinator does: it throws as soon as something breaks a rule. */
import type { CoordinatorEffect, CoordinatorEvent, CoordinatorSettings } from '../../src/jobs/coordinator-types.ts'
import type { Failure, SimulatedJob } from './jobs-world.ts'
import { valueAt } from './jobs-world.ts'

interface Account {
  job: SimulatedJob
  /** Kept and not folded. */
  held: Set<number>
  kept: Set<number>
  foldNext: number
  folding: boolean
  pulled: number
  accumulator: number
}

interface WorkerAccount {
  slots: number
  /** `job index` of what it has been given. */
  outstanding: Set<string>
}

export class JobBook {
  readonly #settings: CoordinatorSettings
  readonly #jobs: readonly SimulatedJob[]
  readonly #accounts = new Map<string, Account>()
  readonly #workers = new Map<string, WorkerAccount>()
  readonly ended = new Map<string, { state: string; failure: Failure | undefined; result: number }>()

  constructor(jobs: readonly SimulatedJob[], settings: CoordinatorSettings) {
    this.#jobs = jobs
    this.#settings = settings
  }

  isOver(job: string): boolean {
    return this.ended.has(job)
  }

  get allOver(): boolean {
    return this.ended.size === this.#jobs.length
  }

  /** Another leader: nothing is known any more. */
  startOver(): void {
    this.#accounts.clear()
    this.#workers.clear()
  }

  workerJoined(worker: string, slots: number): void {
    this.#workers.set(worker, { slots, outstanding: new Set() })
  }

  workerGone(worker: string): void {
    this.#workers.delete(worker)
  }

  /** An event, before the coordinator gets it. */
  before(event: CoordinatorEvent<Failure>): void {
    if (event.type === 'folded') {
      const account = this.#accounts.get(event.job)
      if (account === undefined) return
      for (let index = event.first; index < event.first + event.count; index++) account.held.delete(index)
      account.foldNext = event.first + event.count
      account.folding = false
    } else if (event.type === 'outcomes') {
      for (const { index } of event.failed) this.#workers.get(event.worker)?.outstanding.delete(`${event.job} ${index}`)
    }
  }

  observe(effect: CoordinatorEffect<Failure>, cause: CoordinatorEvent<Failure>): void {
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
        this.#dispatch(effect)
        break
      default:
    }
  }

  /** After every step: what is held is bounded, and nothing is held that was folded. */
  check(): void {
    for (const account of this.#accounts.values()) {
      for (const index of account.held) {
        if (index < account.foldNext) throw new Error(`${account.job.id}: chunk ${index} is held though it was folded`)
      }
      if (account.held.size > this.#settings.window) throw new Error(`${account.job.id}: more is held than the window`)
    }
  }

  #accept(id: string): void {
    const job = this.#jobs.find(job => job.id === id)!
    const account = { job, held: new Set<number>(), kept: new Set<number>(), foldNext: 0, folding: false }
    this.#accounts.set(id, { ...account, pulled: 0, accumulator: 0 })
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
      account.held.add(index)
    }
  }

  #fold(effect: { job: string; first: number; count: number }): void {
    const account = this.#accounts.get(effect.job)!
    if (account.folding) throw new Error(`${effect.job}: two folds at a time`)
    if (effect.first !== account.foldNext || effect.count < 1)
      throw new Error(`${effect.job}: fold from ${effect.first} where ${account.foldNext} is next`)
    account.folding = true
    for (let index = effect.first; index < effect.first + effect.count; index++) {
      if (!account.held.has(index)) throw new Error(`${effect.job}: chunk ${index} is folded without a partial`)
      account.accumulator = step(account.accumulator, index)
    }
  }

  #dispatch(effect: { worker: string; job: string; indices: number[] }): void {
    const account = this.#accounts.get(effect.job)
    const worker = this.#workers.get(effect.worker)
    if (account === undefined) throw new Error(`${effect.job} is dispatched though it is over`)
    if (worker === undefined) throw new Error(`${effect.job} is dispatched to ${effect.worker}, which is gone`)
    const budget = this.#settings.partialBudget / this.#accounts.size
    for (const index of effect.indices) {
      const chunk = `${effect.job} ${index}`
      if (account.kept.has(index)) throw new Error(`${chunk} is dispatched though its partial is there`)
      for (const other of this.#workers.values())
        if (other.outstanding.has(chunk)) throw new Error(`${chunk} is dispatched though somebody has it`)
      worker.outstanding.add(chunk)
      if (index === account.foldNext) continue
      if (index >= account.foldNext + this.#settings.window)
        throw new Error(`${chunk} is beyond the window that begins at ${account.foldNext}`)
      if (account.held.size * account.job.partialBytes >= budget) throw new Error(`${chunk} is dispatched over budget`)
    }
    const shortest = Math.min(...[...this.#accounts.values()].map(({ job }) => job.duration[0]))
    const ahead = Math.max(1, Math.floor((worker.slots * 100) / shortest))
    // Up to one chunk more for each further job (Dispatcher).
    const most = worker.slots + ahead + this.#accounts.size - 1
    if (worker.outstanding.size > most)
      throw new Error(`${effect.worker} has ${worker.outstanding.size} chunks, more than its credit of ${most}`)
  }
}

function step(accumulator: number, index: number): number {
  return (Math.imul(accumulator, 31) + valueAt(index)) >>> 0
}

/** The same job on one thread. */
export function oneLoop(chunks: number): number {
  let accumulator = 0
  for (let index = 0; index < chunks; index++) accumulator = step(accumulator, index)
  return accumulator
}
