/**
 * The leader's schedule as a pure state machine: which chunk goes where, what counts, what is folded when.
 *
 *     split → ready queue → workers → reorder window → fold in chunk order → finish
 *
 * It never sees a payload, only indices and sizes. What it guarantees: each index is folded once and in order; a chunk
 * whose worker is gone is given to another; the memory it causes is bounded (ready queue, window, budgets); and the
 * lowest chunk that is not folded can always be dispatched, so nothing that is bounded can block a job for good.
 */
import type { Core } from '../core.ts'
import type { PeerIdString } from '../network/types.ts'
import { JobRecord, type Share, WorkerRecord } from './coordinator-job.ts'
import {
  ALL_RULES,
  type CoordinatorEffect,
  type CoordinatorEvent,
  type CoordinatorRules,
  type CoordinatorSettings,
  DEFAULT_SETTINGS,
  type OutcomesEvent
} from './coordinator-types.ts'
import { Dispatcher } from './dispatcher.ts'
import { pullSize } from './pull.ts'
import type { JobProgress } from './types.ts'

export class Coordinator<Failure = unknown> implements Core<CoordinatorEvent<Failure>, CoordinatorEffect<Failure>> {
  readonly #settings: CoordinatorSettings
  readonly #rules: CoordinatorRules
  readonly #jobs = new Map<string, JobRecord>()
  readonly #workers = new Map<PeerIdString, WorkerRecord>()
  readonly #dispatcher: Dispatcher
  #effects: CoordinatorEffect<Failure>[] = []
  #progressTimer = false

  constructor(settings: Partial<CoordinatorSettings> = {}, rules: Partial<CoordinatorRules> = {}) {
    this.#settings = { ...DEFAULT_SETTINGS, ...settings }
    this.#rules = { ...ALL_RULES, ...rules }
    this.#dispatcher = new Dispatcher(this.#jobs, this.#workers, this.#settings, this.#rules)
  }

  handle(event: CoordinatorEvent<Failure>, _now: number): CoordinatorEffect<Failure>[] {
    this.#effects = []
    switch (event.type) {
      case 'worker-joined':
        this.#workerGone(event.worker)
        this.#workers.set(event.worker, new WorkerRecord(event.worker, event.slots))
        break
      case 'worker-slots': {
        const worker = this.#workers.get(event.worker)
        if (worker !== undefined) worker.slots = event.slots
        break
      }
      case 'worker-gone':
        this.#workerGone(event.worker)
        break
      case 'submitted':
        this.#submitted(event.job, event.retries)
        break
      case 'pulled':
        this.#pulled(event)
        break
      case 'outcomes':
        this.#outcomes(event)
        break
      case 'folded': {
        const job = this.#jobs.get(event.job)
        if (job?.window.folded(event.first, event.count) === true) job.progressDue = true
        break
      }
      case 'finished':
        this.#end(event.job, 'completed')
        break
      case 'driver-failed':
        this.#end(event.job, 'failed', event.failure)
        break
      case 'cancelled':
        this.#end(event.job, 'cancelled')
        break
      case 'timer':
        this.#progressTimer = false
        this.#tellProgress()
        break
    }
    this.#advance()
    return this.#effects
  }

  /** Whether the job is known and not over. */
  has(job: string): boolean {
    return this.#jobs.has(job)
  }

  progress(job: string): JobProgress | undefined {
    const record = this.#jobs.get(job)
    return record?.progress(this.#peersOf(record))
  }

  /** Chunks that run or wait at a worker; undefined: no such worker. */
  outstanding(worker: PeerIdString): number | undefined {
    return this.#workers.get(worker)?.outstanding
  }

  /** Chunks that run at each worker: what it has been given, up to its slots. */
  busy(): Map<PeerIdString, number> {
    return new Map([...this.#workers.values()].map(worker => [worker.id, Math.min(worker.slots, worker.outstanding)]))
  }

  /** Slots of all workers. */
  get slots(): number {
    let sum = 0
    for (const worker of this.#workers.values()) sum += worker.slots
    return sum
  }

  #submitted(id: string, retries: number): void {
    if (this.#jobs.has(id)) return
    const job = new JobRecord(id, retries)
    this.#jobs.set(id, job)
    this.#dispatcher.add(id)
    this.#effects.push({ type: 'state', job: id, state: 'accepted', stats: job.stats() })
  }

  #pulled(event: { job: string; first: number; sizes: readonly number[]; done: boolean }): void {
    const job = this.#jobs.get(event.job)
    if (job === undefined || !job.pulling || event.first !== job.queue.end) return
    job.pulling = false
    job.addChunks(event.first, event.sizes)
    job.splitDone = event.done
    job.progressDue = true
  }

  #outcomes(event: OutcomesEvent<Failure>): void {
    const job = this.#jobs.get(event.job)
    const worker = this.#workers.get(event.worker)
    const share = worker?.shares.get(event.job)
    if (job === undefined || (this.#rules.onlyFromHolder && share === undefined)) return
    share?.pace.measure(event.indices.length + event.failed.length, event.busyMs)
    this.#keep(job, share, event)
    let lowest: { index: number; failure: Failure } | undefined
    for (const failed of event.failed) {
      if (share?.outstanding.delete(failed.index) !== true) continue
      job.outstanding -= 1
      if (job.mayRetry(failed.index)) {
        job.retries += 1
        job.queue.giveBack(failed.index, event.worker)
      } else if (lowest === undefined || failed.index < lowest.index) {
        lowest = failed
      }
    }
    job.progressDue = true
    if (lowest !== undefined) this.#end(job.id, 'failed', lowest.failure)
  }

  #keep(job: JobRecord, share: Share | undefined, event: OutcomesEvent<Failure>): void {
    const positions: number[] = []
    for (let position = 0; position < event.indices.length; position++) {
      const index = event.indices[position]!
      const held = share?.outstanding.delete(index) === true
      if (held) job.outstanding -= 1
      if (!held && this.#rules.onlyFromHolder) continue
      job.keepPartial(index, event.sizes[position] ?? 0, event.worker)
      positions.push(position)
    }
    if (positions.length > 0) this.#effects.push({ type: 'keep', job: job.id, positions })
  }

  #workerGone(id: PeerIdString): void {
    const worker = this.#workers.get(id)
    if (worker === undefined) return
    this.#workers.delete(id)
    for (const [jobId, share] of worker.shares) {
      const job = this.#jobs.get(jobId)
      if (job === undefined) continue
      job.queue.forgetWorker(id)
      if (!this.#rules.returnChunksOfTheGone) continue
      job.outstanding -= share.outstanding.size
      job.retries += share.outstanding.size
      for (const index of share.outstanding) job.queue.giveBack(index)
      job.progressDue = true
    }
  }

  #end(id: string, state: 'completed' | 'failed' | 'cancelled', failure?: Failure): void {
    const job = this.#jobs.get(id)
    if (job === undefined) return
    this.#jobs.delete(id)
    this.#dispatcher.remove(id)
    for (const worker of this.#workers.values()) {
      if (worker.shares.delete(id)) this.#effects.push({ type: 'release', worker: worker.id, job: id })
    }
    this.#effects.push({
      type: 'state',
      job: id,
      state,
      stats: job.stats(),
      ...(failure === undefined ? {} : { failure })
    })
    this.#effects.push({ type: 'drop', job: id })
  }

  /** Does what has become possible: dispatch, fold, pull, finish. */
  #advance(): void {
    for (const { worker, job, indices } of this.#dispatcher.dispatch()) {
      this.#run(this.#jobs.get(job)!)
      this.#effects.push({ type: 'dispatch', worker, job, indices })
    }
    let progressDue = false
    for (const job of this.#jobs.values()) {
      const fold = job.window.startFold(this.#settings.maxFold, this.#settings.maxFoldBytes)
      if (fold !== undefined) this.#effects.push({ type: 'fold', job: job.id, ...fold })
      if (!job.splitDone && !job.pulling) {
        const max = pullSize(job, this.#workers.values(), this.#settings, this.#jobs.size)
        if (max > 0) {
          job.pulling = true
          this.#effects.push({ type: 'pull', job: job.id, max })
        }
      }
      if (job.splitDone && !job.finishing && job.window.foldNext === job.queue.end) {
        job.finishing = true
        this.#run(job)
        this.#effects.push({ type: 'finish', job: job.id })
      }
      progressDue ||= job.progressDue
    }
    if (progressDue && !this.#progressTimer) {
      this.#progressTimer = true
      this.#effects.push({ type: 'timer', name: 'progress', delay: this.#settings.progressInterval })
    }
  }

  #run(job: JobRecord): void {
    if (job.state === 'running') return
    job.state = 'running'
    job.progressDue = true
    this.#effects.push({ type: 'state', job: job.id, state: job.state, stats: job.stats() })
  }

  #tellProgress(): void {
    for (const job of this.#jobs.values()) {
      if (!job.progressDue) continue
      job.progressDue = false
      this.#effects.push({ type: 'progress', job: job.id, progress: job.progress(this.#peersOf(job)) })
    }
  }

  #peersOf(job: JobRecord): number {
    let peers = 0
    for (const worker of this.#workers.values()) {
      if ((worker.shares.get(job.id)?.outstanding.size ?? 0) > 0) peers += 1
    }
    return peers
  }
}
