/** What a peer does while it leads: ties the coordinator to workers, clients and the threads that drive the jobs. */

import type { Limits } from '../../common/limits.ts'
import type { Logger } from '../../common/logger.ts'
import type { JournalPeer } from '../../journal/journal-peer.ts'
import { CoreTimers } from '../../lib/core-timers.ts'
import type { HistogramRecorder } from '../../lib/histogram.ts'
import type { Membership } from '../../membership/types.ts'
import type { Refusals } from '../../network/guard/refusals.ts'
import type { Channel, PeerIdString, Protocol, ProtocolHandler } from '../../network/types.ts'
import type { TaskFailure } from '../../tasks/execute/failure.ts'
import { type IndexedPack, NOTHING_PACKED } from '../../tasks/values/pack.ts'
import type { BatchSeal } from '../protocol/batch-seal.ts'
import type { Overview } from '../protocol/overview-messages.ts'
import type { SubmitMessage, ToLeaderSays } from '../protocol/submit-messages.ts'
import { MAX_CHUNKS_A_MESSAGE } from '../protocol/wire-parts.ts'
import type { BatchMessage, InFlightMessage, WorkerSays, WorkMessage } from '../protocol/work-messages.ts'
import { JobScheduler } from '../scheduler/job-scheduler.ts'
import type { LedChunks, OfferedChunk, SchedulerEffect, SchedulerEvent, WorkerTraits } from '../scheduler/types.ts'
import type { LeadingStats } from '../shared/job-counts.ts'
import type { JobSpans } from '../shared/job-spans.ts'
import type { CodeKeeper, Runner } from '../shared/runner.ts'
import type { JobEventState } from '../shared/types.ts'
import { batchMessages } from './batch-messages.ts'
import type { ChunkMapService } from './chunk-map-service.ts'
import { failureOf, type PulledSizes } from './job-execution.ts'
import { JobManager } from './job-manager.ts'
import type { LeaderJob } from './leader-job.ts'
import { type ResumedJob, RetainedPartials } from './retained-partials.ts'
import { valueMessages } from './shard-round-values.ts'
import { WorkerLinks } from './worker-links.ts'

type Event = SchedulerEvent<TaskFailure>
type Effect = SchedulerEffect<TaskFailure>

export interface LeaderInit {
  epoch: number
  membership: Membership
  runner: Runner
  codeStore: CodeKeeper
  work: Protocol<WorkMessage>
  /** This peer's own worker. */
  worker: ProtocolHandler<WorkMessage>
  seal: BatchSeal
  /** Whether that leader has led under that epoch, as far as this peer has seen. */
  hasLed(leader: PeerIdString, epoch: number): boolean
  /** The leader before this one, if it has died and may have computed. */
  diedBefore: PeerIdString | undefined
  journal: JournalPeer
  limits: Limits
  refusals: Refusals
  /** Of all leaderships of this peer: how many chunks each message to a worker holds. */
  batchSizes: HistogramRecorder
  logger: Logger
  /** Undefined: nobody traces. */
  spans: JobSpans | undefined
  onJobState(jobId: string, state: JobEventState): void
  /** Another leader is newer: this one is to be stopped. */
  onFenced(): void
}

export class Leader {
  readonly epoch: number
  readonly #init: LeaderInit
  readonly #scheduler: JobScheduler<TaskFailure>
  readonly #manager: JobManager
  readonly #links: WorkerLinks
  readonly #offers: RetainedPartials
  /** On which channel each worker has made its offers. */
  readonly #offeredOn = new Map<PeerIdString, Channel<WorkMessage>>()
  /** Whom to tell, once a job's outcome is safe, that nobody needs what they hold of it. */
  readonly #unreleased = new Map<string, Set<PeerIdString>>()
  readonly #timers = new CoreTimers(event => this.#handle(event))
  #stopped = false

  constructor(init: LeaderInit) {
    this.epoch = init.epoch
    this.#init = init
    this.#scheduler = new JobScheduler({ self: init.membership.self.id })
    this.#offers = new RetainedPartials(init.seal, init.limits.offeredChunks)
    this.#links = new WorkerLinks({
      epoch: init.epoch,
      protocol: init.work,
      membership: init.membership,
      near: { onMessage: (message, channel) => this.onWork(message, channel) },
      self: init.worker,
      events: {
        joined: (worker, traits) => this.#joined(worker, traits),
        changed: (worker, traits) => this.#handle({ type: 'worker-changed', worker, ...traits }),
        gone: (worker, why) => {
          this.#offers.forgetWorker(worker)
          this.#handle({ type: 'worker-gone', worker, why })
        }
      }
    })
    const { epoch, membership, runner, codeStore, journal, limits, refusals, logger, spans, onJobState, onFenced } =
      init
    this.#manager = new JobManager({
      epoch,
      self: membership.self.id,
      slots: () => this.#links.slots(),
      runner,
      codeStore,
      limits,
      refusals,
      logger,
      spans,
      journal: events => journal.lead(events),
      begin: (job, resumed) => {
        // It goes on behind these: they will not be split again, so nothing else would settle what is offered of them.
        this.#refuse(job.id, this.#offers.refuse(job.id, job.splitEnd))
        const { terms, from } = job
        const diedWith = resumed ? init.diedBefore : undefined
        this.#handle({ type: 'submitted', job: job.id, terms, from, resumed, diedWith })
        job.chunks = this.#scheduler.chunks(job.id)
        this.#handle({ type: 'seen', job: job.id, folded: job.seen })
      },
      seen: (job, folded) => this.#handle({ type: 'seen', job, folded }),
      covered: (job, next) => this.#links.broadcast({ type: 'covered', job, next }),
      ready: () => this.#releaseUnknown(this.#offers.jobs()),
      cancel: job => this.#handle({ type: 'cancelled', job }),
      progress: job => this.#scheduler.progress(job),
      onJobState,
      onFenced
    })
  }

  /** Begins to read what earlier leaders have left, and to call the workers. */
  start(): void {
    this.#init.runner.prepareDriver?.()
    this.#links.start()
    this.#handle({ type: 'expected', workers: this.#links.ids() })
    this.#manager.start()
  }

  /** A worker says something. What answers another leadership is not for this one. */
  onWork(message: WorkMessage, channel: Channel<WorkMessage>): void {
    if (this.#stopped || message.epoch !== this.epoch) return
    this.#onWorker(message as WorkMessage & WorkerSays, channel)
  }

  /** A client says something. */
  onSubmit(message: SubmitMessage & ToLeaderSays, channel: Channel<SubmitMessage>): void {
    this.#manager.onSubmit(message, channel)
  }

  onSubmitClosed(channel: Channel<SubmitMessage>): void {
    this.#manager.onSubmitClosed(channel)
  }

  overview(): Overview {
    return { jobs: this.#manager.summaries(), busy: Object.fromEntries(this.#scheduler.busy()) }
  }

  /** What has become of the chunks of a job. */
  get chunks(): ChunkMapService {
    return this.#manager.chunks
  }

  /** What it has done so far, or had when it was stopped. */
  led(): LedChunks {
    return this.#scheduler.led()
  }

  stats(): LeadingStats {
    let jobs = 0
    let checkpointAge: number | undefined
    for (const job of this.#manager.jobs()) {
      if (job.isOver) continue
      jobs += 1
      checkpointAge = Math.max(checkpointAge ?? 0, job.checkpointAge)
    }
    return { ...this.#scheduler.load(), jobs, checkpointAge }
  }

  /** Resolves when `to` could go on with all the jobs. */
  handOver(to: PeerIdString, signal: AbortSignal): Promise<void> {
    return this.#manager.handOver(to, signal)
  }

  /** Leads no more: acknowledges and folds nothing more, and sends the clients to the next leader. */
  async stop(next: PeerIdString | undefined): Promise<void> {
    if (!this.#stopped) {
      this.#stopped = true
      this.#timers.stop()
      this.#manager.stop(next)
      this.#links.stop()
    }
    await this.#manager.closed()
  }

  #onWorker(message: WorkMessage & WorkerSays, channel: Channel<WorkMessage>): void {
    const worker = channel.remote
    switch (message.type) {
      case 'hello':
        this.#links.hello(channel, message.slots, message.leaving)
        this.#dismiss()
        break
      case 'in-flight':
        this.#onOffer(message, channel)
        break
      case 'returned': {
        const { job, indices } = message
        this.#handle({ type: 'returned', worker, job, indices })
        break
      }
      case 'leaving':
        this.#links.leaves(channel)
        this.#dismiss()
        break
      case 'outcomes': {
        const { job, partials, failed, busyMs } = message
        // It may have been on its way since before another job got this id.
        if (this.#manager.get(job)?.submissionId !== message.submissionId) break
        const { indices, lengths: sizes } = partials
        this.#handle({ type: 'outcomes', worker, job, indices, sizes, failed, busyMs }, partials, channel)
        break
      }
      case 'starting': {
        const { job, indices } = message
        this.#handle({ type: 'starting', worker, job, indices })
        this.#links.send(worker, { type: 'go', job, indices })
        break
      }
      case 'code-request':
        for (const { submission } of this.#manager.jobs()) {
          if (submission.sha256 !== message.sha256) continue
          this.#links.send(worker, { type: 'code', sha256: submission.sha256, code: submission.code })
          break
        }
        break
      case 'values-request': {
        const values = this.#manager.get(message.job)?.execution.values
        for (const answer of valueMessages(message.job, message.ids, values)) this.#links.send(worker, answer)
        break
      }
      case 'log': {
        const job = this.#manager.get(message.job)
        for (const line of message.lines) job?.lines.add({ ...line, peer: worker })
        break
      }
    }
  }

  #handle(event: Event, partials: IndexedPack = NOTHING_PACKED, channel?: Channel<WorkMessage>): void {
    if (this.#stopped) return
    for (const effect of this.#scheduler.handle(event, performance.now())) {
      if (effect.type !== 'never-given') this.#do(effect, event, partials)
      // On a channel that is gone it may be of a leadership that was about to be handed over and stayed.
      else if (channel !== undefined && this.#links.isCurrent(channel)) this.#refuseStrange(effect)
    }
    this.#dismiss()
  }

  #refuseStrange({ worker, job, indices }: Extract<Effect, { type: 'never-given' }>): void {
    const { length } = indices
    const what = `${length === 1 ? 'an outcome' : `${length} outcomes`} of job ${job} that ${worker} was never asked for`
    this.#init.refusals.count('chunk', worker, what, length)
  }

  /** Workers that are about to leave may go as soon as they have brought all that they have. */
  #dismiss(): void {
    this.#links.dismiss(id => !this.#scheduler.needs(id) && !this.#offers.hasOffers(id))
  }

  #onOffer(offer: InFlightMessage, channel: Channel<WorkMessage>): void {
    if (!this.#links.awaits(channel)) return
    const worker = channel.remote
    // What it said before on a channel that broke, it says again.
    if (this.#offeredOn.get(worker) !== channel) this.#offers.forgetWorker(worker)
    this.#offeredOn.set(worker, channel)
    this.#offers.add(worker, offer)
  }

  #joined(worker: PeerIdString, traits: WorkerTraits): void {
    this.#offers.admit(worker)
    const offered = new Map<string, OfferedChunk[]>()
    for (const id of this.#offers.jobs(worker)) {
      const job = this.#manager.get(id)
      if (job === undefined || job.isOver) continue
      const { chunks, refused } = this.#offers.match(this.#offeredJob(job), worker)
      this.#refuse(id, refused)
      offered.set(id, chunks)
    }
    this.#handle({ type: 'worker-joined', worker, offered, ...traits })
    this.#releaseUnknown(this.#offers.jobs(worker))
  }

  #pulled(job: LeaderJob, { first, sizes, done, roundOf, combines, msEach }: PulledSizes): Event {
    job.splitEnd = first + sizes.length
    const { chunks: offered, refused } = this.#offers.match(this.#offeredJob(job))
    this.#refuse(job.id, refused)
    if (done) this.#refuse(job.id, this.#offers.refuse(job.id))
    return { type: 'pulled', job: job.id, first, sizes, done, offered, roundOf, combines, msEach }
  }

  #offeredJob(job: LeaderJob): ResumedJob {
    return {
      id: job.id,
      sha256: job.submission.sha256,
      splitEnd: job.splitEnd,
      wasLedBy: (leader, epoch) => this.#manager.wasLedBy(job.id, leader, epoch) || this.#init.hasLed(leader, epoch),
      digestOf: index => job.execution.digestOf(index)
    }
  }

  /** What these workers have is of no use. */
  #refuse(job: string, chunks: readonly OfferedChunk[]): void {
    const workers = new Set(chunks.map(({ worker }) => worker))
    for (const worker of workers) {
      const indices = chunks.flatMap(chunk => (chunk.worker === worker ? [chunk.index] : []))
      this.#cancelChunks(worker, job, indices)
    }
  }

  /** In as many messages as it takes: a worker that offers all that it holds may offer more than one can name. */
  #cancelChunks(worker: PeerIdString, job: string, indices: readonly number[]): void {
    for (const some of inMessages(indices)) this.#links.send(worker, { type: 'cancel-chunks', job, indices: some })
  }

  /** Workers need not keep what of these jobs belongs to none any more. A job that ended before a worker joined was released without that worker. */
  #releaseUnknown(jobs: readonly string[]): void {
    if (!this.#manager.isReady) return
    for (const job of jobs) {
      const known = this.#manager.get(job)
      if (known?.isOver === false) continue
      const pending = this.#unreleased.get(job)
      const workers = pending ?? new Set<PeerIdString>()
      for (const worker of this.#offers.drop(job)) workers.add(worker)
      if (pending !== undefined) continue
      const release = (): void => {
        this.#unreleased.delete(job)
        for (const worker of workers) this.#links.send(worker, { type: 'release', job })
      }
      this.#unreleased.set(job, workers)
      // It has ended, and its outcome is not safe yet: should this leader die before, the next one needs what the workers hold.
      if (known === undefined) release()
      else this.#manager.whenHeld(job, release)
    }
    this.#dismiss()
  }

  #do(effect: Exclude<Effect, { type: 'never-given' }>, event: Event, partials: IndexedPack): void {
    if (effect.type === 'timer') {
      this.#timers.set(effect)
      return
    }
    if (effect.type === 'cancel-chunks') {
      this.#cancelChunks(effect.worker, effect.job, effect.indices)
      return
    }
    if (effect.type === 'release') {
      const { job, completed } = effect
      this.#offers.drop(job)
      const release = (): void => this.#links.broadcast({ type: 'release', job })
      // Should this leader die before, the next one needs what the workers hold.
      if (completed) this.#manager.whenHeld(job, release)
      else release()
      return
    }
    const job = this.#manager.get(effect.job)
    if (job === undefined) return
    switch (effect.type) {
      case 'pull':
        this.#drive(job, 'split', job.execution.pull(effect.max), pulled => this.#pulled(job, pulled))
        break
      case 'dispatch':
        for (const batch of batchMessages(job, effect.mode, effect.indices)) {
          this.#init.batchSizes.record(batch.indices.length)
          this.#links.send(effect.worker, { ...batch, seal: this.#sealOf(job, effect.worker, batch) })
        }
        break
      case 'claim':
        for (const indices of inMessages(effect.indices)) {
          const batch = { indices, digests: job.execution.digestsOf(indices) }
          const seal = this.#sealOf(job, effect.worker, batch)
          this.#links.send(effect.worker, {
            type: 'reattach',
            job: job.id,
            ...batch,
            seal,
            submissionId: job.submissionId
          })
        }
        break
      case 'keep':
        if (event.type !== 'outcomes') break
        job.execution.keep(partials, effect.positions, event.worker)
        job.tellOutputs(partials, effect.positions)
        break
      case 'fold': {
        const { first, count } = effect
        this.#drive(job, 'reduce', job.execution.fold(first, count), () => ({
          type: 'folded',
          job: job.id,
          first,
          count
        }))
        break
      }
      case 'finish':
        this.#drive(job, 'finish', job.execution.finish(), () => ({ type: 'finished', job: job.id }))
        break
      case 'progress':
        job.tellProgress({ type: 'progress', progress: effect.progress })
        break
      case 'unserved':
        if (effect.unserved) {
          const { requires } = job.submission
          this.#init.logger.warn({ jobId: job.id, requires }, 'no live peer can compute a job: it waits for one')
        } else {
          this.#init.logger.info({ jobId: job.id }, 'there is a peer again that can compute a job')
        }
        break
      case 'state':
        this.#tellState(job, effect)
        break
      case 'drop':
        // The desk has let go of its payloads with its end.
        break
    }
  }

  #sealOf(job: LeaderJob, worker: PeerIdString, batch: Pick<BatchMessage, 'indices' | 'digests'>): Uint8Array {
    const { indices, digests } = batch
    const { sha256 } = job.submission
    return this.#init.seal.seal({ job: job.id, sha256, worker, epoch: this.epoch, indices, digests })
  }

  /** Waits for the job's thread, and tells the coordinator how it went. */
  #drive<T>(job: LeaderJob, fn: 'split' | 'reduce' | 'finish', work: Promise<T>, done: (value: T) => Event): void {
    // The job may be over meanwhile, and another one have its id.
    const isHere = (): boolean => this.#manager.get(job.id) === job
    const { spans } = this.#init
    const began = spans === undefined ? 0 : performance.now()
    work.then(
      value => {
        spans?.drove(job.id, this.epoch, fn, began)
        if (isHere()) this.#handle(done(value))
      },
      (error: unknown) => {
        if (isHere()) spans?.drove(job.id, this.epoch, fn, began, error)
        if (isHere()) this.#handle({ type: 'driver-failed', job: job.id, failure: failureOf(error, fn) })
      }
    )
  }

  #tellState(job: LeaderJob, effect: Extract<Effect, { type: 'state' }>): void {
    const { state } = effect
    if (state === 'accepted') this.#manager.onAccepted(job)
    else if (state !== 'running') this.#manager.onEnded(job, job.execution.outcomeOf(effect))
    else {
      const progress = this.#scheduler.progress(job.id)
      if (progress !== undefined) job.tellProgress({ type: 'progress', progress })
      this.#manager.onRunning(job)
    }
  }
}

/** Cuts a list of chunks into what one message may name. */
function* inMessages(indices: readonly number[]): Generator<number[]> {
  for (let from = 0; from < indices.length; from += MAX_CHUNKS_A_MESSAGE)
    yield indices.slice(from, from + MAX_CHUNKS_A_MESSAGE)
}
