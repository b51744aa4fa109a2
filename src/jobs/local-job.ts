/** A job that one process runs by itself. It uses the scheduler and the worker of a cluster, without a network between them. */
import { randomUUID } from 'node:crypto'
import { TypedEventEmitter } from 'main-event'
import pDefer from 'p-defer'
import { InvalidOptionError, JobCancelledError } from '../common/errors.ts'
import { orAborted } from '../lib/abort.ts'
import { memoryChannel } from '../network/channel/memory-channel.ts'
import type { AbortOptions, Channel } from '../network/types.ts'
import { decode } from '../tasks/values/payload.ts'
import type { JobParts } from './client/submission.ts'
import type { DispatchedJob } from './leader/batch-messages.ts'
import { JobExecution } from './leader/job-execution.ts'
import { failureOf, SchedulerLoop, type StateEffect } from './leader/scheduler-loop.ts'
import { valueMessages } from './leader/shard-round-values.ts'
import type { WorkMessage } from './protocol/work-messages.ts'
import type { SchedulerStats } from './scheduler/index.ts'
import { jobFailed, lastProgress, NOTHING_DONE } from './shared/job-end.ts'
import type { CodeKeeper, Runner } from './shared/runner.ts'
import type { Job, JobEvents, JobProgress, JobStats, SubmitOptions, TaskLogLine } from './shared/types.ts'
import { WorkerCore } from './worker/worker-core.ts'

/** The peer id that a local job reports in place of a PeerId. */
export const LOCAL_PEER = 'local'
/** A local job has exactly one leadership. */
const EPOCH = 1
/** The seal of a local batch. It is empty because no later leader has to verify the batch. */
const NO_SEAL = new Uint8Array()

export interface LocalJobInit extends Pick<SubmitOptions, 'retries' | 'chunkTimeout'> {
  parts: JobParts
  runner: Runner
  codeStore: CodeKeeper
}

export class LocalJob<Result = unknown> extends TypedEventEmitter<JobEvents> implements Job<Result> {
  readonly id = randomUUID()
  readonly #folder: string
  readonly #execution: JobExecution
  readonly #loop: SchedulerLoop<DispatchedJob>
  readonly #worker: WorkerCore
  readonly #startedAt = performance.now()
  readonly #result = pDefer<Result>()
  #progress = NOTHING_DONE
  #stats: JobStats | undefined
  /** Set when the job has ended. Resolves when the threads of the job are free. */
  #closed: Promise<void> | undefined

  constructor({ parts, runner, codeStore, retries = 0, chunkTimeout }: LocalJobInit) {
    super()
    const { bundle, input } = parts
    const { sha256, code, folder } = bundle
    const { slots } = runner
    this.#folder = folder
    // Without a handler, the failure of a job that no caller awaits would be an unhandled rejection.
    this.#result.promise.catch(() => {})
    this.#execution = new JobExecution({
      id: this.id,
      submission: { sha256, code, input },
      slots,
      runner,
      codeStore,
      onLog: line => this.#tellLine({ ...line, peer: LOCAL_PEER })
    })
    const submission = { sha256, chunkTimeout, priority: 0, partials: false }
    const dispatched = { id: this.id, submissionId: this.id, submission, execution: this.#execution }
    this.#loop = new SchedulerLoop<DispatchedJob>({
      self: LOCAL_PEER,
      job: () => dispatched,
      dispatch: (_worker, _job, batch) => this.#worker.handle({ ...batch, seal: NO_SEAL }),
      onProgress: (_job, progress) => this.#tellProgress(progress),
      onState: (_job, effect) => this.#onState(effect)
    })
    this.#worker = new WorkerCore({ runner, codeStore, retainBytes: 0 })
    this.#worker.begin({ channel: this.#channel(), epoch: EPOCH })
    this.#loop.handle({ type: 'worker-joined', worker: LOCAL_PEER, slots, tags: {}, spared: false })
    // There is no other worker that could start a slow chunk a second time.
    const terms = { retries, speculate: false, requires: {}, priority: 0 }
    this.#loop.handle({ type: 'submitted', job: this.id, terms })
  }

  get progress(): JobProgress {
    return this.#progress
  }

  /** Always undefined: no peer holds the job. */
  get durability(): undefined {
    return undefined
  }

  get stats(): JobStats | undefined {
    return this.#stats
  }

  async result({ signal }: AbortOptions = {}): Promise<Result> {
    return await orAborted(this.#result.promise, signal)
  }

  /** Always throws, because a local job has no option that asks for its partials. */
  partials(): AsyncIterable<never> {
    throw new InvalidOptionError('the partials of this job were not asked for')
  }

  /** Cancels the job. Resolves when the job has ended and its threads are free, as {@link LocalJob.closed} does. */
  async cancel(): Promise<void> {
    this.#loop.handle({ type: 'cancelled', job: this.id })
    await this.closed()
  }

  /** Resolves when the job has ended and its threads are free: aborted chunks have had time to clean up. */
  async closed(): Promise<void> {
    await this.#result.promise.catch(() => {})
    await this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cancel()
  }

  /** Makes the channel for the answers of the worker. Messages to the worker are direct calls. */
  #channel(): Channel<WorkMessage> {
    const near = {
      onMessage: (message: WorkMessage) => this.#onWorker(message),
      // The channel closes only when an answer of the worker could not be handled.
      onClose: (_: unknown, error: Error) =>
        this.#loop.handle({ type: 'driver-failed', job: this.id, failure: failureOf(error, 'load') })
    }
    return memoryChannel(LOCAL_PEER, near, { onMessage() {} })[1]
  }

  #onWorker(message: WorkMessage): void {
    if (message.type === 'log') for (const line of message.lines) this.#tellLine({ ...line, peer: LOCAL_PEER })
    if (message.type === 'values-request')
      for (const answer of valueMessages(this.id, message.ids, this.#execution.values)) this.#worker.handle(answer)
    if (message.type !== 'outcomes') return
    const { job, partials, failed, busyMs } = message
    const { indices, lengths: sizes } = partials
    this.#loop.handle({ type: 'outcomes', worker: LOCAL_PEER, job, indices, sizes, failed, busyMs }, partials)
  }

  #onState(effect: StateEffect): void {
    if (effect.state === 'accepted') return
    if (effect.state === 'running') {
      this.#tellProgress(this.#loop.scheduler.progress(this.id) ?? this.#progress)
      return
    }
    const outcome = this.#execution.outcomeOf(effect)
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
      // The type of the task declares the type that `finish` returns.
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
    this.#loop.stop()
    this.#worker.handle({ type: 'release', job: this.id })
    await Promise.all([this.#execution.close(), this.#worker.idle()])
  }
}
