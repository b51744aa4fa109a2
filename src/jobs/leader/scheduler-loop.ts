/** Runs a {@link JobScheduler} at a leader, and in a process that runs a job by itself. */

import type { TaskFunction } from '../../common/errors.ts'
import { CoreTimers } from '../../lib/core-timers.ts'
import type { PeerIdString } from '../../network/types.ts'
import { type TaskFailure, TaskFailureError } from '../../tasks/execute/failure.ts'
import { type IndexedPack, NOTHING_PACKED } from '../../tasks/values/pack.ts'
import type { BatchMessage } from '../protocol/work-messages.ts'
import type { OfferedChunk, SchedulerEffect, SchedulerEvent } from '../scheduler/index.ts'
import { JobScheduler } from '../scheduler/index.ts'
import type { JobProgress } from '../shared/types.ts'
import { batchMessages, type DispatchedJob } from './batch-messages.ts'
import type { PulledSizes } from './job-execution.ts'

type Event = SchedulerEvent<TaskFailure>
type Effect = SchedulerEffect<TaskFailure>

export type StateEffect = Extract<Effect, { type: 'state' }>
export type NeverGiven = Extract<Effect, { type: 'never-given' }>
/** The effects for other workers and for chunks from earlier leaderships. */
export type WorkerEffect = Extract<Effect, { type: 'claim' | 'cancel-chunks' | 'release' | 'unserved' }>

type JobEffect = Exclude<Effect, NeverGiven | WorkerEffect | { type: 'timer' }>

/** The functions of a task that its driver runs. */
export type DriverFunction = Extract<TaskFunction, 'split' | 'reduce' | 'finish'>

export interface SchedulerLoopInit<Job extends DispatchedJob> {
  self: PeerIdString
  /** Returns the present job with this id. Returns `undefined` if there is no such job. */
  job(id: string): Job | undefined
  dispatch(worker: PeerIdString, job: Job, batch: Omit<BatchMessage, 'seal'>): void
  onProgress(job: Job, progress: JobProgress): void
  onState(job: Job, effect: StateEffect): void
  /** Called when more chunks are split. Returns those of the chunks that workers retain from earlier leaderships. Default: no chunks. */
  onPulled?(job: Job, pulled: PulledSizes): OfferedChunk[]
  /** Called when the partials at these positions are the first partials of their chunks. */
  onKept?(job: Job, partials: IndexedPack, positions: readonly number[]): void
  /** Called when the driver has answered a call that began at `began`, by `performance.now()`. */
  onDriven?(job: Job, fn: DriverFunction, began: number, error?: unknown): void
  onWorkerEffect?(effect: WorkerEffect): void
  /** Called after each event. */
  onHandled?(): void
}

/** Carries out the effects of the scheduler. The job executions split, fold and finish, and the scheduler gets their answers as events. */
export class SchedulerLoop<Job extends DispatchedJob> {
  readonly scheduler: JobScheduler<TaskFailure>
  readonly #init: SchedulerLoopInit<Job>
  readonly #timers = new CoreTimers(event => this.handle(event))
  #stopped = false

  constructor(init: SchedulerLoopInit<Job>) {
    this.#init = init
    this.scheduler = new JobScheduler({ self: init.self })
  }

  /** @param partials - the partials of an `outcomes` event */
  handle(event: Event, partials: IndexedPack = NOTHING_PACKED, onNeverGiven?: (effect: NeverGiven) => void): void {
    if (this.#stopped) return
    for (const effect of this.scheduler.handle(event, performance.now())) {
      if (effect.type === 'never-given') onNeverGiven?.(effect)
      else this.#do(effect, event, partials)
    }
    this.#init.onHandled?.()
  }

  stop(): void {
    this.#stopped = true
    this.#timers.stop()
  }

  #do(effect: Exclude<Effect, NeverGiven>, event: Event, partials: IndexedPack): void {
    const job = 'job' in effect ? this.#init.job(effect.job) : undefined
    switch (effect.type) {
      case 'timer':
        this.#timers.set(effect)
        break
      case 'claim':
      case 'cancel-chunks':
      case 'release':
      case 'unserved':
        this.#init.onWorkerEffect?.(effect)
        break
      default:
        if (job !== undefined) this.#doFor(job, effect, event, partials)
    }
  }

  #doFor(job: Job, effect: JobEffect, event: Event, partials: IndexedPack): void {
    const { id, execution } = job
    switch (effect.type) {
      case 'pull':
        this.#drive(job, 'split', execution.pull(effect.max), pulled => {
          const offered = this.#init.onPulled?.(job, pulled)
          return { type: 'pulled', job: id, ...pulled, offered }
        })
        break
      case 'dispatch':
        for (const batch of batchMessages(job, effect.mode, effect.indices))
          this.#init.dispatch(effect.worker, job, batch)
        break
      case 'keep':
        if (event.type !== 'outcomes') break
        execution.keep(partials, effect.positions, event.worker)
        this.#init.onKept?.(job, partials, effect.positions)
        break
      case 'fold': {
        const { first, count } = effect
        this.#drive(job, 'reduce', execution.fold(first, count), () => ({ type: 'folded', job: id, first, count }))
        break
      }
      case 'finish':
        this.#drive(job, 'finish', execution.finish(), () => ({ type: 'finished', job: id }))
        break
      case 'progress':
        this.#init.onProgress(job, effect.progress)
        break
      case 'state':
        this.#init.onState(job, effect)
        break
    }
  }

  /** Waits for the driver of the job, and reports the result of the call to the scheduler. */
  #drive<T>(job: Job, fn: DriverFunction, work: Promise<T>, done: (value: T) => Event): void {
    // When the call ends, the job may have ended, and another job may have the same id.
    const isCurrent = (): boolean => this.#init.job(job.id) === job
    const began = performance.now()
    work.then(
      value => {
        this.#init.onDriven?.(job, fn, began)
        if (isCurrent()) this.handle(done(value))
      },
      (error: unknown) => {
        if (!isCurrent()) return
        this.#init.onDriven?.(job, fn, began, error)
        this.handle({ type: 'driver-failed', job: job.id, failure: failureOf(error, fn) })
      }
    )
  }
}

/** Converts an error of a driver into a failure that can be sent to the client. */
export function failureOf(error: unknown, fn: TaskFunction): TaskFailure {
  if (error instanceof TaskFailureError) return error.failure
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return { function: fn, name, message, stack: '' }
}
