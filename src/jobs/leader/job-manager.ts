/** The jobs of a leader. A client receives the acceptance and the outcome of a job only after the journal has replicated them. */
import { randomUUID } from 'node:crypto'
import type { JobCheckpoint } from '../../journal/checkpoint.ts'
import type { Entry } from '../../journal/core/entry.ts'
import type { LeaderJournal } from '../../journal/leader-journal.ts'
import { type JobRecord, recordOf } from '../../journal/record.ts'
import { orAborted } from '../../lib/abort.ts'
import type { Channel, PeerIdString } from '../../network/types.ts'
import { type JobOutcome, NO_STATS, type Submission, type SubmitMessage } from '../protocol/submit-messages.ts'
import type { JobEventState, JobSummary } from '../shared/types.ts'
import { ChunkMapService } from './chunk-map-service.ts'
import { ClientRequests, overAndForgotten, SCHEDULES, toldEnd } from './client-requests.ts'
import { DueJobs, type LedSchedules, runStateOf } from './due-jobs.ts'
import { endFields, logJob } from './job-log.ts'
import type { JobManagerInit } from './job-manager-init.ts'
import { summariesOf } from './job-summary.ts'
import { LeaderJob } from './leader-job.ts'
import { OutcomeRetention } from './outcome-retention.ts'
import { noRoomFor, tooFewDisks } from './refusals.ts'
import { SuspendedJobs } from './suspended-jobs.ts'

/** The least time (ms) that outcomes of an earlier leader are kept. That leader may have died before it sent them to the clients. */
const TAKEOVER_MS = 10_000
/** Why the job of a schedule is not accepted after all. */
const NOT_STORED = 'the leader could not store the job'

export class JobManager {
  readonly chunks: ChunkMapService
  readonly requests: ClientRequests
  readonly #init: JobManagerInit
  readonly #journal: LeaderJournal
  /** The running jobs, and the jobs whose outcome is not replicated yet. */
  readonly #jobs = new Map<string, LeaderJob>()
  /** The time when this leader accepted each job, by `performance.now()`. */
  readonly #since = new Map<string, number>()
  readonly #retention: OutcomeRetention
  readonly #suspended: SuspendedJobs
  readonly #closing = new Set<Promise<void>>()
  readonly #schedules: LedSchedules | undefined

  constructor(init: JobManagerInit) {
    this.#init = init
    const { limits, room } = init
    this.#retention = new OutcomeRetention({
      limits: { ...limits, outcomeBytes: Math.min(limits.outcomeBytes, room?.outcomeBytes ?? limits.outcomeBytes) },
      onDrop: job => this.#dropOutcome(job),
      mayForget: job => this.#journal.mayForget(job),
      onForget: job => {
        this.chunks.forget(job)
        this.#since.delete(job)
        this.#journal.forget(job)
      }
    })
    this.#journal = init.journal({
      ready: () => {
        // From now on this leader handles messages of clients.
        for (const job of this.#jobs.values()) job.awaitWatcher()
        init.ready()
        this.#schedules?.ready()
      },
      adopt: entry => this.#adopt(entry),
      overruled: entry => this.#overrule(entry),
      advanced: entry => this.#goOnFrom(entry),
      adoptSchedule: (key, record) => this.#schedules?.adopted(key, record),
      held: (key, durability) => {
        this.#jobs.get(key)?.tellHeld(durability)
        this.#schedules?.onHeld(key, durability)
      },
      notDurable: (key, disks) => {
        this.#refuse(this.#jobs.get(key), durable => tooFewDisks(durable, disks))
        this.#schedules?.onNotDurable(key, disks)
      },
      fenced: () => init.onFenced()
    })
    this.chunks = new ChunkMapService({
      leadership: `${init.self}/${init.epoch}`,
      mostWaiting: limits.waitingRequests,
      journal: this.#journal,
      job: id => this.#jobs.get(id),
      progress: id => init.progress(id)
    })
    const [journal, retain] = [this.#journal, this.#retain.bind(this)]
    this.#suspended = new SuspendedJobs({ ...init, journal, retain })
    this.requests = new ClientRequests({
      ...init,
      journal,
      jobs: this.#jobs,
      suspended: this.#suspended,
      resume: (id, isDetached) => this.#resume(this.#suspended.resume(id, isDetached)),
      accept: (id, submission, channel, seen) => this.#accept(id, submission, channel, seen),
      goOn: (job, got) => this.#goOn(job, got),
      schedules: () => this.#schedules,
      cancelJob: id => this.#cancel(id)
    })
    this.#schedules = init.schedules?.lead(new DueJobs({ ...init, journal, requests: this.requests, retain }))
  }

  /** Starts to read the journals of earlier leaders. */
  start(): void {
    this.#journal.start()
  }

  /** Whether all jobs of earlier leaders are known. */
  get isReady(): boolean {
    return this.#journal.isReady
  }

  /** Runs `run` as soon as the last write for the job is replicated. */
  whenReplicated(job: string, run: () => void): void {
    this.#journal.whenReplicated(job, run)
  }

  /** Whether `leader` has led the job under `epoch`. */
  wasLedBy(job: string, leader: PeerIdString, epoch: number): boolean {
    const leaders = this.#journal.get(job)?.record.leaders ?? []
    return leaders.some(past => past.leader === leader && past.epoch === epoch)
  }

  get(job: string): LeaderJob | undefined {
    return this.#jobs.get(job)
  }

  jobs(): Iterable<LeaderJob> {
    return this.#jobs.values()
  }

  /** The running and the suspended jobs, and the ended jobs whose outcome is kept. */
  summaries(): JobSummary[] {
    const { progress } = this.#init
    return summariesOf(this.#journal, {
      progress,
      since: job => this.#since.get(job),
      isReported: job => !this.#jobs.has(job)
    })
  }

  /** Handles that the scheduler has accepted the job. */
  onAccepted(job: LeaderJob): void {
    job.begun = true
    // A resumed job may have too few replicas, because the peers that stored the job may be gone.
    this.#journal.whenReplicated(job.id, () => {
      if (this.#jobs.get(job.id) !== job || job.isOver) return
      job.accepted = true
      const progress = job.resumed ? this.#init.progress(job.id) : undefined
      const durability = this.#journal.held(job.id)
      job.tell({ type: 'accepted', folded: job.from?.next ?? 0, progress, durability })
    })
    const state = job.resumed ? 'resumed' : 'accepted'
    this.#tellState(job, state, { task: job.submission.task, folded: job.from?.next })
  }

  /** Handles that the job has ended here. The clients of the job receive the outcome as soon as the outcome is replicated. */
  onEnded(job: LeaderJob, outcome: JobOutcome): void {
    const { id, submissionId } = job
    job.lines.flush()
    this.#close(job)
    const entry = this.#journal.get(id)
    if (entry === undefined) return
    // An end that another leader has written takes precedence.
    if (entry.end === undefined) {
      // No client has cancelled an abandoned job, so a client that returns starts the job again.
      const kept = job.abandoned ? undefined : outcome
      const record: JobRecord = { ...entry.record, submission: undefined, checkpoint: undefined, outcome: kept }
      this.#journal.write({ job: id, submissionId, end: kept?.type ?? 'abandoned', record })
    }
    this.#journal.whenReplicated(id, () => {
      // This leader has abandoned the job, and a client that returned has started another job under the same id.
      if (this.#jobs.get(id) !== job) {
        job.send({ job: id, type: 'not-leader', leader: this.#init.self })
        return
      }
      this.#jobs.delete(id)
      this.#tellEnd(job, outcome)
      // Even if `keep` is 0, the outcome was already delivered.
      const now = this.#journal.get(id)
      if (now === undefined) return
      if (job.chunks !== undefined) this.chunks.keep(id, job.chunks)
      this.#retain(id, now.record)
    })
  }

  #tellEnd(job: LeaderJob, outcome: JobOutcome): void {
    const { id } = job
    const entry = this.#journal.get(id)
    const kept = entry?.record.outcome
    // The job may have ended under another leader before this leader has replicated it.
    if (kept !== undefined && !job.accepted) job.tell({ type: 'accepted', folded: kept.stats.chunks })
    if (kept !== undefined) job.tell(kept)
    // A client that came after the job was abandoned must submit the job again.
    else if (entry?.end === 'abandoned') job.send({ job: id, type: 'not-leader', leader: this.#init.self })
    else if (entry?.end === outcome.type) job.tell(outcome)
    else job.tell(overAndForgotten(id, entry?.end))
    const state = toldEnd(entry?.end) ?? outcome.type
    this.#init.spans?.ended(job, state, outcome, { epoch: this.#init.epoch, resumed: job.resumed })
    this.#tellState(job, state, endFields(job, outcome))
  }

  /** Handles that the scheduler gives the first chunks of the job to workers. */
  onRunning(job: LeaderJob): void {
    this.#tellState(job, 'running')
  }

  #tellState({ id, refusal, submission }: LeaderJob, state: JobEventState, more: object = {}): void {
    logJob(this.#init, id, state, more)
    this.#init.onJobState(id, state)
    const end = this.#journal.get(id)?.end
    const run = runStateOf(state)
    if (end === 'abandoned') {
      const { reason = NOT_STORED, disks } = refusal ?? {}
      const notDurable = disks === undefined ? undefined : { disks, durable: submission.durable }
      this.#schedules?.onRefused(id, { reason, isFinal: false, notDurable })
    } else if (run !== undefined) this.#schedules?.onJob(id, run)
  }

  /** Frees the thread and the payloads of a job. */
  #close(job: LeaderJob): void {
    const { logger } = this.#init
    const closing = job.close().catch(error => logger.warn({ jobId: job.id, error }, 'a job did not end well'))
    this.#closing.add(closing)
    void closing.finally(() => this.#closing.delete(closing))
  }

  /** Resolves when `to` could continue all jobs. */
  async handOver(to: PeerIdString, signal: AbortSignal): Promise<void> {
    // A peer that does not follow the journal already leads, and cannot receive entries.
    if (!this.#journal.isFollowedBy(to)) return
    const checkpoints = Promise.all([...this.#jobs.values()].map(job => job.checkpoint()))
    await orAborted(checkpoints, signal)
    await this.#journal.handOver(to, signal)
  }

  /** Stops accepting and ending jobs, and sends the clients to the next leader. */
  stop(next: PeerIdString | undefined): void {
    this.#journal.stop()
    this.#schedules?.stop()
    this.#retention.stop()
    this.chunks.stop()
    this.requests.stop(next)
    for (const job of this.#jobs.values()) {
      job.send({ job: job.id, type: 'not-leader', leader: next })
      this.#init.spans?.handedOver(job, this.#init.progress(job.id), { epoch: this.#init.epoch, next })
      this.#close(job)
    }
    this.#jobs.clear()
  }

  /** Resolves when the executions of all closed jobs are released. */
  async closed(): Promise<void> {
    await Promise.all(this.#closing)
  }

  /** Starts a stream of an earlier leader. Called when the client of the stream has reported its position, or when the job must end. */
  #goOn(job: LeaderJob, got: number): void {
    if (!job.awaitsClient) return
    job.awaitsClient = false
    job.beginAt(got)
    this.#init.begin(job, true)
  }

  #accept(id: string, submission: Submission, channel: Channel<SubmitMessage> | undefined, seen: number): LeaderJob {
    const { self, epoch } = this.#init
    const slots = Math.max(1, this.#init.slots())
    const job = this.#open(id, randomUUID(), submission, slots, { submitter: channel?.remote ?? SCHEDULES })
    job.seen = seen
    if (channel !== undefined) job.watch(channel)
    job.awaitWatcher()
    this.#retention.remove(id)
    this.chunks.forget(id)
    this.#since.set(id, performance.now())
    const record = recordOf(submission, slots, { leader: self, epoch })
    const { durable } = submission
    if (this.#init.isServed(job.terms)) job.execution.prepare()
    this.#journal.write({ job: id, submissionId: job.submissionId, durable, record }, () => this.#begin(job))
    return job
  }

  /** Begins a new job, which the journal has replicated. Refuses it if the disk did not take it. */
  #begin(job: LeaderJob): void {
    const noRoom = this.#init.room?.failure()
    if (noRoom === undefined || noRoom.isBrief) this.#init.begin(job, false)
    else this.#refuse(job, () => noRoomFor(noRoom))
  }

  #refuse(job: LeaderJob | undefined, says: (durable: number) => Parameters<LeaderJob['refuse']>[0]): void {
    if (job === undefined || job.isOver) return
    job.refuse(says(job.submission.durable))
    this.onEnded(job, { type: 'cancelled', stats: NO_STATS })
  }

  #open(
    id: string,
    submissionId: string,
    submission: Submission,
    slots: number,
    { submitter, checkpoint }: { submitter?: PeerIdString; checkpoint?: JobCheckpoint | undefined }
  ): LeaderJob {
    const { logger } = this.#init
    const job = new LeaderJob({
      ...this.#init,
      id,
      submissionId,
      submission,
      submitter,
      slots,
      checkpoint,
      onCheckpoint: (checkpoint, held) => this.#keepCheckpoint(job, checkpoint, held),
      onCovered: next => this.#init.covered(id, next),
      onOrphaned: () => {
        logger.info({ jobId: id }, 'cancels a job: its client is gone')
        this.#cancel(id)
      }
    })
    this.#jobs.set(id, job)
    return job
  }

  #cancel(id: string): void {
    const job = this.#jobs.get(id)
    if (job === undefined || job.isOver) return
    this.#goOn(job, 0)
    if (job.begun) this.#init.cancel(id)
    // The job has not begun because it is not replicated yet, so it ends without the scheduler.
    else this.onEnded(job, { type: 'cancelled', stats: NO_STATS })
  }

  #keepCheckpoint({ id, submissionId }: LeaderJob, checkpoint: JobCheckpoint, held: () => void): void {
    const entry = this.#journal.get(id)
    if (entry === undefined || entry.end !== undefined) return
    const { next } = checkpoint
    this.#journal.write({ job: id, submissionId, record: { ...entry.record, checkpoint } }, () => {
      held()
      this.#init.covered(id, next)
    })
  }

  #adopt(entry: Entry<JobRecord>): void {
    const { job, end, record } = entry
    const isSuspended = this.#suspended.update(entry)
    if (end !== undefined) {
      this.#retain(job, record, TAKEOVER_MS)
      return
    }
    this.#retention.remove(job)
    this.chunks.forget(job)
    if (!isSuspended) this.#resume(entry)
  }

  #resume({ job: id, submissionId, record }: Entry<JobRecord>): LeaderJob {
    const { submission, slots, checkpoint } = record
    const job = this.#open(id, submissionId, submission!, slots, { checkpoint })
    job.resumed = true
    if (job.submission.stream === undefined) this.#init.begin(job, true)
    else job.awaitsClient = true
    if (this.#journal.isReady) job.awaitWatcher()
    return job
  }

  #overrule(entry: Entry<JobRecord>): void {
    const { job: id, record } = entry
    this.#suspended.update(entry)
    const job = this.#jobs.get(id)
    if (job !== undefined) this.#goOn(job, 0)
    // The job also ends here, even if it has not begun. The clients receive the outcome before the outcome may be dropped.
    if (job === undefined) this.#retain(id, record, TAKEOVER_MS)
    else if (job.begun) this.#init.cancel(id)
    else if (!job.isOver) this.onEnded(job, { type: 'cancelled', stats: NO_STATS })
  }

  /** Begins a job again at a later checkpoint. Its clients find it again under this leader. */
  #goOnFrom(entry: Entry<JobRecord>): void {
    const { job: id, next } = entry
    const job = this.#jobs.get(id)
    if (job === undefined || job.isOver) return
    this.#init.logger.info({ jobId: id, folded: next }, 'goes on with a job from a later checkpoint of another peer')
    job.send({ job: id, type: 'not-leader', leader: this.#init.self })
    this.#jobs.delete(id)
    this.#init.cancel(id)
    this.#close(job)
    this.#adopt(entry)
  }

  #retain(job: string, { outcome, keep }: JobRecord, least = 0): void {
    if (outcome === undefined) {
      this.chunks.forget(job)
      this.#retention.bury(job)
    } else
      this.#retention.keep(job, outcome.type === 'completed' ? outcome.result.byteLength : 0, Math.max(keep, least))
  }

  #dropOutcome(job: string): void {
    this.chunks.forget(job)
    const entry = this.#journal.get(job)
    if (entry?.end === undefined) return
    const { submissionId, end, record } = entry
    this.#journal.write({ job, submissionId, end, record: { ...record, outcome: undefined } })
    this.#retention.bury(job)
  }
}
