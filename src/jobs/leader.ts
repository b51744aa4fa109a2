/** What a peer does while it leads: ties the coordinator to workers, clients and the threads that drive the jobs. */
import type { Logger } from '../logger.ts'
import type { Membership } from '../membership/types.ts'
import type { Channel, PeerIdString, Protocol, ProtocolHandler } from '../network/types.ts'
import type { TaskFailure } from '../tasks/failure.ts'
import { Coordinator } from './coordinator.ts'
import type { CoordinatorEffect, CoordinatorEvent, CoordinatorStats } from './coordinator-types.ts'
import { KeptOutcomes } from './kept-outcomes.ts'
import { failureOf, LeaderJob } from './leader-job.ts'
import type { Overview } from './overview-messages.ts'
import type { CodeKeeper, Runner } from './runner.ts'
import {
  type FromLeaderSays,
  type JobOutcome,
  type SubmitMessage,
  sameContent,
  type ToLeaderSays
} from './submit-messages.ts'
import type { JobState, JobSummary } from './types.ts'
import type { WorkerSays, WorkMessage } from './work-messages.ts'
import { WorkerLinks } from './worker-links.ts'

/** Jobs that are driven at a time: each has a thread. */
const MAX_JOBS = 256
/** Chunks for one worker are cut into messages of about so many bytes, so that it can start on the first ones. */
const BATCH_BYTES = 4 * 2 ** 20

type Event = CoordinatorEvent<TaskFailure>
type Effect = CoordinatorEffect<TaskFailure>

export interface LeaderInit {
  epoch: number
  membership: Membership
  runner: Runner
  codeStore: CodeKeeper
  work: Protocol<WorkMessage>
  /** This peer's own worker. */
  worker: ProtocolHandler<WorkMessage>
  logger: Logger
  onJobState(jobId: string, state: JobState): void
}

export class Leader {
  readonly epoch: number
  readonly #init: LeaderInit
  readonly #coordinator = new Coordinator<TaskFailure>()
  readonly #jobs = new Map<string, LeaderJob>()
  readonly #outcomes = new KeptOutcomes()
  readonly #links: WorkerLinks
  readonly #closing = new Set<Promise<void>>()
  #progressTimer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(init: LeaderInit) {
    this.epoch = init.epoch
    this.#init = init
    this.#links = new WorkerLinks({
      epoch: init.epoch,
      protocol: init.work,
      membership: init.membership,
      near: { onMessage: (message, channel) => this.onWork(message, channel) },
      self: init.worker,
      events: {
        joined: (worker, slots) => this.#handle({ type: 'worker-joined', worker, slots }),
        slots: (worker, slots) => this.#handle({ type: 'worker-slots', worker, slots }),
        gone: worker => this.#handle({ type: 'worker-gone', worker })
      }
    })
    this.#links.start()
  }

  /** A worker says something. What answers another leadership is not for this one. */
  onWork(message: WorkMessage, channel: Channel<WorkMessage>): void {
    if (this.#stopped || message.epoch !== this.epoch) return
    this.#onWorker(message as WorkMessage & WorkerSays, channel)
  }

  /** A client says something. */
  onSubmit(message: SubmitMessage & ToLeaderSays, channel: Channel<SubmitMessage>): void {
    const { job: id } = message
    const kept = this.#outcomes.get(id)
    const job = this.#jobs.get(id)
    if (message.type === 'leave') {
      job?.leave(channel)
      return
    }
    if (message.type === 'cancel') {
      job?.watch(channel)
      if (job !== undefined) this.#handle({ type: 'cancelled', job: id })
      else this.#reply(channel, id, kept?.outcome ?? { type: 'cancelled', stats: NO_STATS })
      return
    }
    const content = kept?.content ?? job?.submission
    if (content !== undefined && !sameContent(content, message.submission)) {
      this.#reply(channel, id, { type: 'refused', reason: `another job has the id ${id}: choose another one` })
    } else if (kept !== undefined) {
      this.#reply(channel, id, { type: 'accepted' })
      this.#reply(channel, id, kept.outcome)
    } else if (job !== undefined) {
      job.watch(channel)
      this.#reply(channel, id, { type: 'accepted' })
      const progress = this.#coordinator.progress(id)
      if (progress !== undefined) this.#reply(channel, id, { type: 'progress', progress })
    } else if (this.#jobs.size >= MAX_JOBS) {
      this.#reply(channel, id, { type: 'refused', reason: `${MAX_JOBS} jobs are under way: submit it again later` })
    } else {
      this.#accept(message, channel)
    }
  }

  onSubmitClosed(channel: Channel<SubmitMessage>): void {
    for (const job of this.#jobs.values()) job.unwatch(channel)
  }

  overview(): Overview {
    const jobs: JobSummary[] = this.#outcomes.summaries()
    for (const job of this.#jobs.values()) {
      const progress = this.#coordinator.progress(job.id)
      if (progress === undefined) continue
      const { state, done, total } = progress
      jobs.push({ jobId: job.id, task: job.submission.task, state, done, total })
    }
    return { jobs, busy: Object.fromEntries(this.#coordinator.busy()) }
  }

  /** Leads no more: acknowledges and folds nothing more, and sends the clients to the next leader. */
  async stop(next: PeerIdString | undefined): Promise<void> {
    if (!this.#stopped) {
      this.#stopped = true
      clearTimeout(this.#progressTimer)
      for (const job of this.#jobs.values()) {
        job.send({ job: job.id, type: 'not-leader', leader: next })
        this.#links.broadcast({ type: 'release', job: job.id })
        this.#close(job)
      }
      this.#jobs.clear()
      this.#outcomes.clear()
      this.#links.stop()
    }
    await Promise.all(this.#closing)
  }

  #onWorker(message: WorkMessage & WorkerSays, channel: Channel<WorkMessage>): void {
    const worker = channel.remote
    switch (message.type) {
      case 'hello':
        this.#links.hello(channel, message.slots)
        break
      case 'outcomes': {
        const { job, indices, partials, failed, busyMs } = message
        const sizes = partials.map(partial => partial.byteLength)
        this.#handle({ type: 'outcomes', worker, job, indices, sizes, failed, busyMs }, partials)
        break
      }
      case 'code-request':
        for (const { submission } of this.#jobs.values()) {
          if (submission.sha256 !== message.sha256) continue
          this.#links.send(worker, { type: 'code', sha256: submission.sha256, code: submission.code })
          break
        }
        break
      case 'log': {
        const job = this.#jobs.get(message.job)
        for (const line of message.lines) job?.lines.add({ ...line, peer: worker })
        break
      }
    }
  }

  #accept(message: SubmitMessage & { type: 'submit' }, channel: Channel<SubmitMessage>): void {
    const { job: id, submission } = message
    const { membership, runner, codeStore } = this.#init
    const job = new LeaderJob({
      id,
      submission,
      epoch: this.epoch,
      self: membership.self.id,
      slots: Math.max(1, this.#links.slots()),
      runner,
      codeStore,
      onOrphaned: () => {
        this.#init.logger.info({ job: id }, 'cancels a job: its client is gone')
        this.#handle({ type: 'cancelled', job: id })
      }
    })
    this.#jobs.set(id, job)
    job.watch(channel)
    // The client may have gone while its submission waited to be read.
    if (channel.closed.aborted) job.unwatch(channel)
    this.#handle({ type: 'submitted', job: id, retries: submission.retries })
  }

  #handle(event: Event, partials: readonly Uint8Array[] = []): void {
    if (this.#stopped) return
    for (const effect of this.#coordinator.handle(event, performance.now())) this.#do(effect, event, partials)
  }

  #do(effect: Effect, event: Event, partials: readonly Uint8Array[]): void {
    if (effect.type === 'timer') {
      clearTimeout(this.#progressTimer)
      if (effect.delay === undefined) return
      this.#progressTimer = setTimeout(() => this.#handle({ type: 'timer', name: effect.name }), effect.delay)
      return
    }
    if (effect.type === 'release') {
      this.#links.send(effect.worker, { type: 'release', job: effect.job })
      return
    }
    const job = this.#jobs.get(effect.job)
    if (job === undefined) return
    switch (effect.type) {
      case 'pull':
        this.#drive(job, 'split', job.pull(effect.max), pulled => ({ type: 'pulled', job: job.id, ...pulled }))
        break
      case 'dispatch':
        this.#dispatch(job, effect.worker, effect.indices)
        break
      case 'keep':
        if (event.type !== 'outcomes') break
        for (const position of effect.positions) {
          const index = event.indices[position]!
          job.chunks.delete(index)
          job.partials.set(index, partials[position]!)
        }
        break
      case 'fold': {
        const { first, count } = effect
        this.#drive(job, 'reduce', job.fold(first, count), () => ({ type: 'folded', job: job.id, first, count }))
        break
      }
      case 'finish':
        this.#drive(job, 'finish', job.finish(), () => ({ type: 'finished', job: job.id }))
        break
      case 'progress':
        job.tellProgress({ type: 'progress', progress: effect.progress })
        break
      case 'state':
        this.#tellState(job, effect)
        break
      case 'drop':
        this.#jobs.delete(job.id)
        this.#close(job)
        break
    }
  }

  /** Waits for the job's thread, and tells the coordinator how it went. */
  #drive<T>(job: LeaderJob, fn: 'split' | 'reduce' | 'finish', work: Promise<T>, done: (value: T) => Event): void {
    work.then(
      value => this.#handle(done(value)),
      (error: unknown) => this.#handle({ type: 'driver-failed', job: job.id, failure: failureOf(error, fn) })
    )
  }

  #dispatch(job: LeaderJob, worker: PeerIdString, indices: readonly number[]): void {
    const { sha256 } = job.submission
    let chunks: Uint8Array[] = []
    let bytes = 0
    let from = 0
    for (let i = 0; i < indices.length; i++) {
      const chunk = job.chunks.get(indices[i]!)!
      chunks.push(chunk)
      bytes += chunk.byteLength
      const next = i + 1 < indices.length ? job.chunks.get(indices[i + 1]!)!.byteLength : Number.POSITIVE_INFINITY
      if (bytes + next <= BATCH_BYTES) continue
      this.#links.send(worker, { type: 'batch', job: job.id, sha256, indices: indices.slice(from, i + 1), chunks })
      chunks = []
      bytes = 0
      from = i + 1
    }
  }

  #tellState(job: LeaderJob, effect: Extract<Effect, { type: 'state' }>): void {
    const { state } = effect
    if (state === 'accepted') {
      job.tell({ type: 'accepted' })
    } else if (state === 'running') {
      const progress = this.#coordinator.progress(job.id)
      if (progress !== undefined) job.tellProgress({ type: 'progress', progress })
    } else {
      const outcome = outcomeOf(job, effect)
      const { chunks, perPeer } = effect.stats
      const done = Object.values(perPeer).reduce((sum, count) => sum + count, 0)
      const total = state === 'completed' ? chunks : undefined
      const summary: JobSummary = { jobId: job.id, task: job.submission.task, state, done, total }
      // Code and input may be large, and are not needed any more.
      const { sha256, inputSha256 } = job.submission
      // A client that comes back after all did not cancel its job: it is to start over.
      if (!job.orphaned) this.#outcomes.add(job.id, { outcome, summary, content: { sha256, inputSha256 } })
      job.lines.flush()
      job.tell(outcome)
    }
    this.#init.logger.debug({ job: job.id, state }, 'job')
    this.#init.onJobState(job.id, state)
  }

  #reply(channel: Channel<SubmitMessage>, job: string, says: FromLeaderSays): void {
    channel.send({ job, epoch: this.epoch, ...says }).catch(() => {})
  }

  #close(job: LeaderJob): void {
    const closing = job.close().catch(error => this.#init.logger.warn({ job: job.id, error }, 'a job did not end well'))
    this.#closing.add(closing)
    void closing.finally(() => this.#closing.delete(closing))
  }
}

const NO_STATS: CoordinatorStats = { chunks: 0, retries: 0, perPeer: {} }

function outcomeOf(job: LeaderJob, effect: Extract<Effect, { type: 'state' }>): JobOutcome {
  const { stats, failure } = effect
  if (effect.state === 'completed') return { type: 'completed', result: job.result ?? new Uint8Array(), stats }
  if (failure !== undefined) return { type: 'failed', failure, stats }
  return { type: 'cancelled', stats }
}
