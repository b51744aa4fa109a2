import { randomUUID } from 'node:crypto'
import { InvalidOptionError, NoClusterError, StoppedError } from '../../common/errors.ts'
import { orAborted } from '../../lib/abort.ts'
import type { AbortOptions, Channel, PeerIdString } from '../../network/types.ts'
import {
  bytesOfSubmission,
  type Hello,
  type StreamOrder,
  type Submission,
  type SubmitMessage,
  sameContent
} from '../protocol/submit-messages.ts'
import type { JobSpans } from '../shared/job-spans.ts'
import type { Job, JobHandleOptions, JobState, SubmitOptions } from '../shared/types.ts'
import { ClientJob, type ClientJobInit } from './client-job.ts'
import type { ItemSource } from './item-source.ts'
import type { LeaderSource } from './leader-source.ts'
import { type JobParts, submissionOf } from './submission.ts'
import { SubmissionQueue, type Turn } from './submission-queue.ts'

/** The items and the order of a job that is a stream. */
export interface StreamParts {
  items: ItemSource<unknown>
  order: StreamOrder
}

export interface AttachOptions extends JobHandleOptions {
  /** The folder of the task's file. Default: unknown. */
  folder?: string | undefined
}

export interface SubmitterInit {
  leaderSource: LeaderSource
  /** Records traces. Default: the submitter records no traces. */
  spans?: JobSpans | undefined
  open(leader: PeerIdString, options: AbortOptions): Promise<Channel<SubmitMessage>>
  onJobState(jobId: string, state: JobState, leader: PeerIdString | undefined): void
  /** Called when submissions wait because the leader has no room for more jobs. */
  onWaiting(reason: string): void
}

/** The methods of a job that do not depend on its result's type. */
type AnyJob = Pick<ClientJob<unknown>, 'id' | 'content' | 'over' | 'handle' | 'closed' | 'abandon'>

/** The jobs that this process has submitted or attached to. */
export class Submitter {
  readonly #init: SubmitterInit
  readonly #jobs = new Map<string, Set<AnyJob>>()
  readonly #queue: SubmissionQueue
  #stopped = false

  constructor(init: SubmitterInit) {
    this.#init = init
    this.#queue = new SubmissionQueue(init.onWaiting)
  }

  /** Resolves when the leader has accepted the job. While the leader has no room, submissions wait in order. */
  async submit<Result, Partial>(
    parts: JobParts,
    options: SubmitOptions = {},
    stream?: StreamParts
  ): Promise<Job<Result, Partial>> {
    const { signal, id = randomUUID() } = options
    signal?.throwIfAborted()
    const submission = await submissionOf(parts, options, stream?.order)
    this.#checkRuns()
    const turn = await this.#queue.take(bytesOfSubmission(submission), signal)
    try {
      this.#checkRuns()
      signal?.throwIfAborted()
      return await this.#begin<Result, Partial>({
        id,
        submission,
        turn,
        folder: parts.bundle.folder,
        signal,
        items: stream?.items
      })
    } catch (error) {
      this.#queue.over(turn)
      // Without this call, each other submission would wait just as long for a leader.
      if (error instanceof NoClusterError) this.#queue.giveUp(error)
      throw error
    }
  }

  /** Submits a job that the queue allows to be sent now. */
  async #begin<Result, Partial>(parts: {
    id: string
    submission: Submission
    turn: Turn
    folder: string
    signal: AbortSignal | undefined
    items: ItemSource<unknown> | undefined
  }): Promise<Job<Result, Partial>> {
    const { id, submission, turn, folder, signal, items } = parts
    // The leader would refuse this job, and the refusal would reach the running job with the same id.
    for (const { content } of this.#jobs.get(id) ?? []) {
      if (content === undefined || sameContent(content, submission)) continue
      throw new InvalidOptionError(`this process has submitted another job as ${id}: choose another id`)
    }
    const { onState, ...around } = this.#around(id)
    const job = new ClientJob<Result, Partial>({
      id,
      hello: { type: 'submit', submission },
      folder,
      items,
      ...around,
      onState: (state, leader) => {
        if (state === 'accepted') this.#queue.accepted(turn)
        onState(state, leader)
      },
      onBusy: busy => this.#queue.busy(turn, busy, () => job.again())
    })
    this.#add(id, job)
    this.#init.spans?.submitted(job, submission.task)
    // If no leader receives the cancel, `result()` rejects with the reason.
    const cancel = (): void => void job.cancel().catch(() => {})
    signal?.addEventListener('abort', cancel, { once: true })
    const onOver = (): void => {
      signal?.removeEventListener('abort', cancel)
      this.#queue.over(turn)
    }
    job.over.addEventListener('abort', onOver, { once: true })
    try {
      // A leader answers nothing, not even a cancel, until enough peers have a replica of the job.
      await orAborted(job.accepted(), signal)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
    return job
  }

  #checkRuns(): void {
    if (this.#stopped) throw new StoppedError('this process submits no more jobs: it was stopped')
  }

  /** Resolves when the leader knows the job. */
  async attach<Result>(id: string, { signal, folder, suspended }: AttachOptions = {}): Promise<Job<Result>> {
    if (this.#stopped) throw new StoppedError('this process attaches to no more jobs: it was stopped')
    signal?.throwIfAborted()
    const hello: Hello = { type: 'watch', ...(suspended === 'resume' && { resume: true }) }
    const cancelsSuspended = suspended === 'cancel'
    const job = new ClientJob<Result>({ id, hello, cancelsSuspended, folder, ...this.#around(id) })
    this.#add(id, job)
    const leave = (): void => job.abandon(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      await job.accepted()
    } finally {
      signal?.removeEventListener('abort', leave)
    }
    return job
  }

  /** The part of the init that all jobs of this process share. */
  #around(id: string): Pick<ClientJobInit, 'leaderSource' | 'open' | 'onState' | 'isAlone'> {
    const { leaderSource, open, onJobState } = this.#init
    return {
      leaderSource,
      open,
      onState: (state, leader) => onJobState(id, state, leader),
      isAlone: () => this.#jobs.get(id)?.size === 1
    }
  }

  onMessage(message: SubmitMessage, channel: Channel<SubmitMessage>): void {
    for (const job of this.#jobs.get(message.job) ?? []) job.handle(message, channel)
  }

  onClose(channel: Channel<SubmitMessage>): void {
    for (const jobs of this.#jobs.values()) for (const job of jobs) job.closed(channel)
  }

  /** Stops waiting for all jobs, and tells the leader that this client has stopped waiting. */
  stop(): void {
    this.#stopped = true
    this.#queue.stop(new StoppedError('this process submits no more jobs: it was stopped'))
    this.#abandon(id => new StoppedError(`this process waits no more for job ${id}: it was stopped`))
  }

  /** Stops waiting for the present jobs. Later submissions are still possible. */
  giveUp(reason: Error): void {
    this.#queue.giveUp(reason)
    this.#abandon(() => reason)
  }

  #abandon(reason: (id: string) => Error): void {
    for (const job of [...this.#jobs.values()].flatMap(jobs => [...jobs])) job.abandon(reason(job.id))
  }

  #add(id: string, job: AnyJob): void {
    let jobs = this.#jobs.get(id)
    if (jobs === undefined) {
      jobs = new Set()
      this.#jobs.set(id, jobs)
    }
    jobs.add(job)
    const forget = (): void => {
      jobs.delete(job)
      if (jobs.size === 0 && this.#jobs.get(id) === jobs) this.#jobs.delete(id)
    }
    if (job.over.aborted) forget()
    else job.over.addEventListener('abort', forget, { once: true })
  }
}
