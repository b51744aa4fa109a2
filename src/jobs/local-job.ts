/** A job that one process runs by itself: the coordinator and the worker of a cluster, with nothing between them. */
import { randomUUID } from 'node:crypto'
import { TypedEventEmitter } from 'main-event'
import { InvalidOptionError, JobCancelledError } from '../common/errors.ts'
import { CoreTimers } from '../lib/core-timers.ts'
import { deferred, orAborted } from '../lib/deferred.ts'
import { memoryChannel } from '../network/channel/memory-channel.ts'
import type { AbortOptions, Channel } from '../network/types.ts'
import type { TaskFailure } from '../tasks/execute/failure.ts'
import { type IndexedPack, NOTHING_PACKED } from '../tasks/values/pack.ts'
import { decode } from '../tasks/values/payload.ts'
import type { JobParts } from './client/submitter.ts'
import { batchMessages } from './leader/batch-messages.ts'
import { failureOf, JobExecution } from './leader/job-execution.ts'
import { valueMessages } from './leader/shard-round-values.ts'
import type { WorkMessage } from './protocol/work-messages.ts'
import { JobScheduler } from './scheduler/job-scheduler.ts'
import type { SchedulerEffect, SchedulerEvent, SchedulerStats } from './scheduler/types.ts'
import { jobFailed, lastProgress, NOTHING_DONE } from './shared/job-end.ts'
import type { CodeKeeper, Runner } from './shared/runner.ts'
import type { Job, JobEvents, JobProgress, JobStats, SubmitOptions, TaskLogLine } from './shared/types.ts'
import { WorkerCore } from './worker/worker-core.ts'

type Event = SchedulerEvent<TaskFailure>
type Effect = SchedulerEffect<TaskFailure>

/** Stands where a cluster's job has PeerIds. */
export const LOCAL_PEER = 'local'
/** There is one leadership only. */
const EPOCH = 1
/** Nobody else has to believe that a batch was given here. */
const NO_SEAL = new Uint8Array()

export interface LocalJobInit extends Pick<SubmitOptions, 'retries' | 'chunkTimeout'> {
  parts: JobParts
  runner: Runner
  codeStore: CodeKeeper
}

export class LocalJob<Result = unknown> extends TypedEventEmitter<JobEvents> implements Job<Result> {
  readonly id = randomUUID()
  readonly #folder: string
  readonly #terms: { sha256: string; chunkTimeout: number | undefined; priority: number; partials: boolean }
  readonly #driven: JobExecution
  readonly #scheduler = new JobScheduler<TaskFailure>({ self: LOCAL_PEER })
  readonly #timers = new CoreTimers(event => this.#handle(event))
  readonly #core: WorkerCore
  readonly #startedAt = performance.now()
  readonly #result = deferred<Result>()
  #progress = NOTHING_DONE
  #stats: JobStats | undefined
  /** Set when it is over; resolves when nothing of it runs any more. */
  #closed: Promise<void> | undefined

  constructor({ parts, runner, codeStore, retries = 0, chunkTimeout }: LocalJobInit) {
    super()
    const { bundle, input } = parts
    const { sha256, code, folder } = bundle
    const { slots } = runner
    this.#folder = folder
    this.#terms = { sha256, chunkTimeout, priority: 0, partials: false }
    // The job may fail while nobody waits for its result.
    this.#result.promise.catch(() => {})
    this.#driven = new JobExecution({
      id: this.id,
      submission: { sha256, code, input },
      slots,
      runner,
      codeStore,
      onLog: line => this.#tellLine({ ...line, peer: LOCAL_PEER })
    })
    this.#core = new WorkerCore({ runner, codeStore, retainBytes: 0 })
    this.#core.begin({ channel: this.#channel(), epoch: EPOCH })
    this.#handle({ type: 'worker-joined', worker: LOCAL_PEER, slots, tags: {}, spared: false })
    // With one worker nobody is there to start slow chunks a second time.
    const terms = { retries, speculate: false, requires: {}, priority: 0 }
    this.#handle({ type: 'submitted', job: this.id, terms })
  }

  get progress(): JobProgress {
    return this.#progress
  }

  get stats(): JobStats | undefined {
    return this.#stats
  }

  async result({ signal }: AbortOptions = {}): Promise<Result> {
    return await orAborted(this.#result.promise, signal)
  }

  /** Nobody can ask for them when a job is run like this. */
  partials(): AsyncIterable<never> {
    throw new InvalidOptionError('the partials of this job were not asked for')
  }

  /** Ends the job; resolves as {@link LocalJob.closed} does. */
  async cancel(): Promise<void> {
    this.#handle({ type: 'cancelled', job: this.id })
    await this.closed()
  }

  /** Resolves when the job is over and its threads are free: chunks that were ended had their moment to clean up. */
  async closed(): Promise<void> {
    await this.#result.promise.catch(() => {})
    await this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cancel()
  }

  /** What the worker says comes here; it is told things without a channel. */
  #channel(): Channel<WorkMessage> {
    const near = {
      onMessage: (message: WorkMessage) => this.#onWorker(message),
      // It closes only when what it brought was not understood.
      onClose: (_: unknown, error: Error) => this.#handle(this.#driverFailed(error, 'load'))
    }
    return memoryChannel(LOCAL_PEER, near, { onMessage() {} })[1]
  }

  #onWorker(message: WorkMessage): void {
    if (message.type === 'log') for (const line of message.lines) this.#tellLine({ ...line, peer: LOCAL_PEER })
    if (message.type === 'values-request') {
      for (const answer of valueMessages(this.id, message.ids, this.#driven.values)) this.#core.handle(answer)
    }
    if (message.type !== 'outcomes') return
    const { job, partials, failed, busyMs } = message
    const { indices, lengths: sizes } = partials
    this.#handle({ type: 'outcomes', worker: LOCAL_PEER, job, indices, sizes, failed, busyMs }, partials)
  }

  #handle(event: Event, partials: IndexedPack = NOTHING_PACKED): void {
    if (this.#closed !== undefined) return
    for (const effect of this.#scheduler.handle(event, performance.now())) this.#do(effect, partials)
  }

  #do(effect: Effect, partials: IndexedPack): void {
    const job = this.id
    switch (effect.type) {
      case 'timer':
        this.#timers.set(effect)
        break
      case 'pull':
        this.#drive('split', this.#driven.pull(effect.max), pulled => ({ type: 'pulled', job, ...pulled }))
        break
      case 'dispatch': {
        const dispatched = { id: job, submissionId: job, submission: this.#terms, execution: this.#driven }
        for (const batch of batchMessages(dispatched, effect.mode, effect.indices))
          this.#core.handle({ ...batch, seal: NO_SEAL })
        break
      }
      case 'keep':
        this.#driven.keep(partials, effect.positions, LOCAL_PEER)
        break
      case 'fold': {
        const { first, count } = effect
        this.#drive('reduce', this.#driven.fold(first, count), () => ({ type: 'folded', job, first, count }))
        break
      }
      case 'finish':
        this.#drive('finish', this.#driven.finish(), () => ({ type: 'finished', job }))
        break
      case 'progress':
        this.#tellProgress(effect.progress)
        break
      case 'state':
        this.#onState(effect)
        break
      // What is done about these is done when the job's state tells its end.
      case 'release':
      case 'drop':
        break
      // These are about other workers and earlier leaders.
      case 'claim':
      case 'cancel-chunks':
      case 'never-given':
      case 'unserved':
        break
    }
  }

  /** Waits for the job's thread, and tells the coordinator how it went. */
  #drive<T>(fn: 'split' | 'reduce' | 'finish', work: Promise<T>, done: (value: T) => Event): void {
    work.then(
      value => this.#handle(done(value)),
      (error: unknown) => this.#handle(this.#driverFailed(error, fn))
    )
  }

  #driverFailed(error: unknown, fn: 'split' | 'reduce' | 'finish' | 'load'): Event {
    return { type: 'driver-failed', job: this.id, failure: failureOf(error, fn) }
  }

  #onState(effect: Extract<Effect, { type: 'state' }>): void {
    if (effect.state === 'accepted') return
    if (effect.state === 'running') {
      this.#tellProgress(this.#scheduler.progress(this.id) ?? this.#progress)
      return
    }
    const outcome = this.#driven.outcomeOf(effect)
    this.#closed = this.#close()
    if (outcome.type === 'cancelled') {
      this.#fail('cancelled', new JobCancelledError(`job ${this.id} was cancelled`), outcome.stats)
    } else if (outcome.type === 'failed') {
      this.#fail('failed', jobFailed(this.id, outcome.failure, this.#folder), outcome.stats)
    } else {
      this.#complete(outcome.result, outcome.stats)
    }
  }

  #complete(bytes: Uint8Array, stats: SchedulerStats): void {
    try {
      // What finish returned is what the task's type says it returns.
      const result = decode(bytes, 'result') as Result
      this.#settle('completed', stats)
      this.#result.resolve(result)
    } catch (error) {
      this.#fail('failed', error, stats)
    }
  }

  #fail(state: 'failed' | 'cancelled', error: unknown, stats: SchedulerStats): void {
    this.#settle(state, stats)
    this.#result.reject(error)
  }

  #settle(state: 'completed' | 'failed' | 'cancelled', stats: SchedulerStats): void {
    this.#stats = { ...stats, elapsedMs: performance.now() - this.#startedAt }
    this.#tellProgress(lastProgress(this.#progress, state, stats))
  }

  #tellProgress(progress: JobProgress): void {
    this.#progress = progress
    this.dispatchEvent(new CustomEvent('progress', { detail: progress }))
  }

  #tellLine(line: TaskLogLine): void {
    this.dispatchEvent(new CustomEvent('log', { detail: line }))
  }

  async #close(): Promise<void> {
    this.#timers.stop()
    this.#core.handle({ type: 'release', job: this.id })
    await Promise.all([this.#driven.close(), this.#core.idle()])
  }
}
