/** The work of a peer that leads. Connects the scheduler to the workers, the clients and the job drivers. */

import type { JournalPeer } from '../../journal/journal-peer.ts'
import type { HistogramRecorder } from '../../lib/histogram.ts'
import type { Membership } from '../../membership/types.ts'
import type { Channel, PeerIdString, Protocol, ProtocolHandler } from '../../network/types.ts'
import type { BatchSeal } from '../protocol/batch-seal.ts'
import type { Overview } from '../protocol/overview-messages.ts'
import type { SubmitMessage, ToLeaderSays } from '../protocol/submit-messages.ts'
import type { BatchMessage, WorkerSays, WorkMessage } from '../protocol/work-messages.ts'
import type { LedChunks } from '../scheduler/index.ts'
import type { LeadingStats } from '../shared/job-counts.ts'
import type { ChunkMapService } from './chunk-map-service.ts'
import { JobManager } from './job-manager.ts'
import type { LeaderJob } from './leader-job.ts'
import type { LeadershipParts } from './leadership-parts.ts'
import { inMessages, Reattachment } from './reattachment.ts'
import type { Returning } from './returning-workers.ts'
import { type NeverGiven, SchedulerLoop, type StateEffect, type WorkerEffect } from './scheduler-loop.ts'
import { valueMessages } from './shard-round-values.ts'
import { WorkerLinks } from './worker-links.ts'

export interface LeaderInit extends LeadershipParts {
  membership: Membership
  work: Protocol<WorkMessage>
  /** This peer's own worker. */
  worker: ProtocolHandler<WorkMessage>
  seal: BatchSeal
  /** Whether this peer has seen that `leader` led under `epoch`. */
  hasLed(leader: PeerIdString, epoch: number): boolean
  /** The workers that may come back after the end of all peers. */
  returning: Returning
  /** The previous leader, if the previous leader has died and may have computed chunks. */
  diedBefore: PeerIdString | undefined
  journal: JournalPeer
  /** Number of chunks in each message to a worker, over all leaderships of this peer. */
  batchSizes: HistogramRecorder
}

export class Leader {
  readonly epoch: number
  readonly #init: LeaderInit
  readonly #loop: SchedulerLoop<LeaderJob>
  readonly #manager: JobManager
  readonly #links: WorkerLinks
  readonly #reattachment: Reattachment
  #stopped = false

  constructor(init: LeaderInit) {
    this.epoch = init.epoch
    this.#init = init
    const { epoch, membership, journal, spans } = init
    const self = membership.self.id
    this.#loop = new SchedulerLoop<LeaderJob>({
      self,
      job: id => this.#manager.get(id),
      dispatch: (worker, job, batch) => {
        init.batchSizes.record(batch.indices.length)
        this.#links.send(worker, { ...batch, seal: this.#sealOf(job, worker, batch) })
      },
      onProgress: (job, progress) => job.tellProgress(progress),
      onState: (job, effect) => this.#onState(job, effect),
      onPulled: (job, pulled) => this.#reattachment.pulled(job, pulled),
      onKept: (job, partials, positions) => job.tellOutputs(partials, positions),
      onDriven: (job, fn, began, error) => spans?.drove(job.id, epoch, fn, began, error),
      onWorkerEffect: effect => this.#onWorkerEffect(effect),
      onHandled: () => this.#dismiss()
    })
    this.#links = new WorkerLinks({
      epoch,
      protocol: init.work,
      membership,
      onMessage: (message, channel) => this.onWork(message, channel),
      self: init.worker,
      events: {
        joined: (worker, traits) => {
          const offered = this.#reattachment.joined(worker)
          this.#loop.handle({ type: 'worker-joined', worker, offered, ...traits })
          this.#reattachment.returned(worker)
          this.#dismiss()
        },
        changed: (worker, traits) => this.#loop.handle({ type: 'worker-changed', worker, ...traits }),
        gone: (worker, why) => {
          this.#reattachment.forget(worker)
          this.#loop.handle({ type: 'worker-gone', worker, why })
        }
      }
    })
    this.#manager = new JobManager({
      ...init,
      self,
      slots: () => this.#links.slots(),
      journal: events => journal.lead(events),
      isServed: terms => this.#loop.scheduler.isServed(terms),
      begin: (job, resumed) => this.#begin(job, resumed),
      seen: (job, folded) => this.#loop.handle({ type: 'seen', job, folded }),
      covered: (job, next) => this.#links.broadcast({ type: 'covered', job, next }),
      ready: () => {
        this.#reattachment.releaseUnknown()
        this.#dismiss()
      },
      cancel: job => this.#loop.handle({ type: 'cancelled', job }),
      progress: job => this.#loop.scheduler.progress(job)
    })
    this.#reattachment = new Reattachment({
      ...init,
      manager: this.#manager,
      links: this.#links,
      awaits: (job, isAwaiting) => this.#awaitReturn(job, isAwaiting)
    })
  }

  /** Starts to read the journals of earlier leaders, and to call the workers. */
  start(): void {
    this.#init.runner.prepareDriver?.()
    this.#links.start()
    this.#loop.handle({ type: 'expected', workers: this.#links.ids() })
    this.#manager.start()
  }

  /** Handles one message from a worker. Ignores an answer to another leadership. */
  onWork(message: WorkMessage, channel: Channel<WorkMessage>): void {
    if (this.#stopped || message.epoch !== this.epoch) return
    this.#onWorker(message as WorkMessage & WorkerSays, channel)
  }

  /** Handles one message from a client. */
  onSubmit(message: SubmitMessage & ToLeaderSays, channel: Channel<SubmitMessage>): void {
    this.#manager.requests.onSubmit(message, channel)
  }

  onSubmitClosed(channel: Channel<SubmitMessage>): void {
    this.#manager.requests.onClosed(channel)
  }

  overview(): Overview {
    return { jobs: this.#manager.summaries(), busy: Object.fromEntries(this.#loop.scheduler.busy()) }
  }

  get chunks(): ChunkMapService {
    return this.#manager.chunks
  }

  /** The counts of this leader until now, or until this leader was stopped. */
  led(): LedChunks {
    return this.#loop.scheduler.led()
  }

  stats(): LeadingStats {
    const running = [...this.#manager.jobs()].filter(({ isOver }) => !isOver)
    const ages = running.map(({ checkpointAge }) => checkpointAge)
    const checkpointAge = ages.length === 0 ? undefined : Math.max(...ages)
    return { ...this.#loop.scheduler.load(), jobs: running.length, checkpointAge }
  }

  /** Resolves when `to` could continue all jobs. */
  handOver(to: PeerIdString, signal: AbortSignal): Promise<void> {
    return this.#manager.handOver(to, signal)
  }

  /** Stops leading. From now on acknowledges no job and folds no partial. Sends the clients to the next leader. */
  async stop(next: PeerIdString | undefined): Promise<void> {
    if (!this.#stopped) {
      this.#stopped = true
      this.#loop.stop()
      this.#manager.stop(next)
      this.#links.stop()
      this.#reattachment.stop()
    }
    await this.#manager.closed()
  }

  #begin(job: LeaderJob, resumed: boolean): void {
    this.#reattachment.began(job)
    const { terms, from } = job
    const diedWith = resumed ? this.#init.diedBefore : undefined
    this.#loop.handle({ type: 'submitted', job: job.id, terms, from, resumed, diedWith })
    this.#awaitReturn(job.id, this.#reattachment.isAwaitingReturn(job))
    job.chunks = this.#loop.scheduler.chunks(job.id)
    this.#loop.handle({ type: 'seen', job: job.id, folded: job.seen })
  }

  #awaitReturn(job: string, isAwaiting: boolean): void {
    this.#loop.handle({ type: 'awaits-return', job, isAwaiting })
  }

  #onWorker(message: WorkMessage & WorkerSays, channel: Channel<WorkMessage>): void {
    const worker = channel.remote
    switch (message.type) {
      case 'hello':
        this.#links.hello(channel, message.slots, message.leaving)
        this.#dismiss()
        break
      case 'in-flight':
        if (this.#links.awaits(channel)) this.#reattachment.add(message, channel)
        break
      case 'returned':
        this.#loop.handle({ type: 'returned', worker, job: message.job, indices: message.indices })
        break
      case 'leaving':
        this.#links.leaves(channel)
        this.#dismiss()
        break
      case 'outcomes': {
        const { job, partials, failed, busyMs } = message
        // The outcomes may belong to an earlier submission with this id.
        if (this.#manager.get(job)?.submissionId !== message.submissionId) break
        const { indices, lengths: sizes } = partials
        const event = { type: 'outcomes', worker, job, indices, sizes, failed, busyMs } as const
        this.#loop.handle(event, partials, effect => {
          // A closed channel may belong to an aborted handover of this same leadership; only the current channel's
          // errors count.
          if (this.#links.isCurrent(channel)) this.#countNeverGiven(effect)
        })
        break
      }
      case 'starting': {
        const { job, indices } = message
        this.#loop.handle({ type: 'starting', worker, job, indices })
        this.#links.send(worker, { type: 'go', job, indices })
        break
      }
      case 'code-request': {
        const { sha256 } = message
        const job = [...this.#manager.jobs()].find(({ submission }) => submission.sha256 === sha256)
        if (job === undefined) break
        const send = (): void => this.#links.send(worker, { type: 'code', sha256, code: job.submission.code })
        const reading = job.execution.readCode()
        if (reading === undefined) send()
        // The job is over.
        else reading.then(send, () => {})
        break
      }
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

  #countNeverGiven({ worker, job, indices: { length } }: NeverGiven): void {
    const what = `${length === 1 ? 'an outcome' : `${length} outcomes`} of job ${job} that ${worker} was never asked for`
    this.#init.refusals.count('chunk', worker, what, length)
  }

  /** Dismisses the leaving workers that have sent all their outcomes. */
  #dismiss(): void {
    this.#links.dismiss(id => !this.#loop.scheduler.needs(id) && !this.#reattachment.hasRetained(id))
  }

  #onWorkerEffect(effect: WorkerEffect): void {
    const { job: id } = effect
    switch (effect.type) {
      case 'cancel-chunks':
        this.#reattachment.cancelChunks(effect.worker, id, effect.indices)
        break
      case 'release':
        this.#reattachment.release(id, effect.completed)
        break
      case 'claim': {
        const job = this.#manager.get(id)
        if (job === undefined) break
        for (const indices of inMessages(effect.indices)) {
          const batch = { indices, digests: job.execution.digestsOf(indices) }
          const seal = this.#sealOf(job, effect.worker, batch)
          const { submissionId } = job
          this.#links.send(effect.worker, { type: 'reattach', job: id, ...batch, seal, submissionId })
        }
        break
      }
      case 'unserved': {
        const { logger } = this.#init
        const requires = this.#manager.get(id)?.submission.requires
        if (requires === undefined) break
        if (!effect.unserved) logger.info({ jobId: id }, 'there is a peer again that can compute a job')
        else logger.warn({ jobId: id, requires }, 'no live peer can compute a job: it waits for one')
        break
      }
    }
  }

  #sealOf(job: LeaderJob, worker: PeerIdString, batch: Pick<BatchMessage, 'indices' | 'digests'>): Uint8Array {
    const { indices, digests } = batch
    const { sha256 } = job.submission
    return this.#init.seal.seal({ job: job.id, sha256, worker, epoch: this.epoch, indices, digests })
  }

  #onState(job: LeaderJob, effect: StateEffect): void {
    const { state } = effect
    if (state === 'accepted') this.#manager.onAccepted(job)
    else if (state !== 'running') this.#manager.onEnded(job, job.execution.outcomeOf(effect))
    else {
      const progress = this.#loop.scheduler.progress(job.id)
      if (progress !== undefined) job.tellProgress(progress)
      this.#manager.onRunning(job)
    }
  }
}
