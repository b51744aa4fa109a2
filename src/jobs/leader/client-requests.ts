/** Handles the requests of clients. Delays a request until the leader knows the answer. */

import type { End } from '../../journal/core/entry.ts'
import type { NoRoom } from '../../journal/journal-room.ts'
import type { LeaderJournal } from '../../journal/leader-journal.ts'
import type { Channel, PeerIdString } from '../../network/types.ts'
import {
  bytesOfSubmission,
  type FromLeaderSays,
  type JobOutcome,
  NO_STATS,
  type Submission,
  type SubmitMessage,
  sameContent,
  type ToLeaderSays
} from '../protocol/submit-messages.ts'
import type { DueRefusal, LedSchedules } from './due-jobs.ts'
import type { JobManagerInit } from './job-manager-init.ts'
import { JobQuota, type OverQuota, type SizedJob } from './job-quota.ts'
import { LaterJobs } from './later-jobs.ts'
import type { LeaderJob } from './leader-job.ts'
import { diskShortage, noRoomFor, tooFewDisks } from './refusals.ts'
import type { SuspendedJobs } from './suspended-jobs.ts'

/** The time after which a client submits again to a leader that has not read the journals yet, in ms. */
const NOT_READY_MS = 500
/** When a client submits again to a leader whose disk hangs. */
const DISK_HANGS = { ms: 1_000, places: 0 }
/** The submitter of all jobs of schedules. */
export const SCHEDULES = 'schedules'

export interface ClientRequestsInit
  extends Pick<JobManagerInit, 'epoch' | 'self' | 'limits' | 'room' | 'refusals' | 'progress' | 'seen'> {
  journal: LeaderJournal
  /** The running jobs, and the ended jobs whose outcome is not replicated yet. */
  jobs: ReadonlyMap<string, LeaderJob>
  /** `channel`: undefined for the job of a schedule. */
  accept(id: string, submission: Submission, channel: Channel<SubmitMessage> | undefined, seen: number): LeaderJob
  /** The schedules of this leadership. `undefined` if this peer keeps none. */
  schedules(): Pick<LedSchedules, 'laterJob' | 'whenHeld' | 'cancel'> | undefined
  /** Resumes a stream whose client has the results before `got`. */
  goOn(job: LeaderJob, got: number): void
  cancelJob(id: string): void
  suspended: Pick<SuspendedJobs, 'has' | 'sizes' | 'cancel'>
  /** Resumes a suspended job. `isDetached`: the job goes on without a client. */
  resume(id: string, isDetached: boolean): LeaderJob
}

/** A request that the leader cannot answer yet. */
interface Pending {
  job: string
  channel: Channel<SubmitMessage>
  /** Bytes of the code and the input of a submitted job. 0 for other requests. */
  bytes: number
  /**
   * The client only wants an answer, so the request ends with its channel. A submission or a cancel is carried out
   * anyway.
   */
  isQuery: boolean
}

export class ClientRequests {
  readonly #init: ClientRequestsInit
  readonly later: LaterJobs
  readonly #quota: JobQuota
  readonly #pending = new Set<Pending>()
  #pendingBytes = 0

  constructor(init: ClientRequestsInit) {
    this.#init = init
    this.#quota = new JobQuota(init.limits)
    this.later = new LaterJobs(init)
  }

  /** Handles one message of a client. The leader answers as soon as it knows all jobs that earlier leaders have acknowledged. */
  onSubmit(message: SubmitMessage & ToLeaderSays, channel: Channel<SubmitMessage>): void {
    if (message.type === 'got') {
      this.#init.jobs.get(message.job)?.got(channel, message.next)
      return
    }
    if (message.type === 'items') {
      this.#init.jobs.get(message.job)?.items(channel, message.first, message.items, message.done)
      return
    }
    const { waitingRequests, jobBytes } = this.#init.limits
    const bytes = message.type === 'submit' ? bytesOfSubmission(message.submission) : 0
    const isFull = this.#pending.size >= waitingRequests
    if (isFull || (this.#pendingBytes + bytes > jobBytes && !this.#init.journal.isReady)) {
      const { job } = message
      const reason = 'too many requests wait for a leader that cannot answer yet'
      if (message.type === 'submit') {
        this.#turnAway(channel, job, { reason, again: { ms: NOT_READY_MS, places: 0 } })
        return
      }
      this.#init.refusals.count('rate', channel.remote, reason)
      // The client repeats the request after a pause.
      channel.send({ job, type: 'not-leader', leader: this.#init.self }).catch(() => {})
      return
    }
    const isQuery = message.type === 'watch'
    const pending = this.#ask({ job: message.job, channel, bytes, isQuery })
    const answer = (): void => {
      this.#settle(pending)
      this.#answer(message, channel)
    }
    this.#init.journal.whenKnown(message.job, answer, isQuery ? channel.closed : undefined)
  }

  onClosed(channel: Channel<SubmitMessage>): void {
    for (const job of this.#init.jobs.values()) job.unwatch(channel)
    this.later.closed(channel)
    for (const pending of this.#pending) if (pending.channel === channel && pending.isQuery) this.#settle(pending)
  }

  /** Sends the clients that wait to the next leader. */
  stop(next: PeerIdString | undefined): void {
    for (const { job, channel } of this.#pending)
      channel.send({ job, type: 'not-leader', leader: next }).catch(() => {})
    this.#pending.clear()
    this.#pendingBytes = 0
    this.later.stop(next)
  }

  /** Submits the job of a schedule. Returns why the leader does not take it. */
  submitDue(id: string, submission: Submission): DueRefusal | undefined {
    const entry = this.#init.journal.get(id)
    if (entry !== undefined && !this.#isFree(id))
      return sameContent(entry.record, submission) ? undefined : { reason: anotherHas(id), isFinal: true }
    const bytes = bytesOfSubmission(submission)
    const overQuota = this.#quota.take(SCHEDULES, bytes, this.#underWay)
    if (overQuota !== undefined) return { reason: overQuota.reason, isFinal: overQuota.again === undefined }
    const { disks } = this.#init.journal
    if (submission.durable > disks) return { ...diskShortage(submission.durable, disks), isFinal: false }
    const noRoom = this.#init.room?.take(bytes)
    if (noRoom !== undefined) return { reason: noRoom.reason, isFinal: false }
    const job = this.#init.accept(id, submission, undefined, 0)
    for (const channel of this.later.take(id)) job.watch(channel)
    return undefined
  }

  #answer(
    message: SubmitMessage & Exclude<ToLeaderSays, { type: 'got' | 'items' }>,
    channel: Channel<SubmitMessage>
  ): void {
    const { job: id } = message
    const { suspended } = this.#init
    const job = this.#init.jobs.get(id)
    const later = this.#isFree(id) ? this.#init.schedules()?.laterJob(id) : undefined
    switch (message.type) {
      case 'leave':
        job?.leave(channel)
        this.later.leave(id, channel)
        break
      case 'cancel':
        if (later !== undefined) {
          this.later.watch(id, channel)
          this.#init.schedules()?.cancel(id)
        } else if (job === undefined) {
          if (suspended.has(id)) suspended.cancel(id)
          this.#replyOutcome(channel, id)
        } else {
          job.watch(channel)
          this.#init.cancelJob(id)
        }
        break
      case 'watch': {
        const entry = this.#init.journal.get(id)
        if (job !== undefined) this.#join(job, channel, message.seen)
        else if (suspended.has(id)) this.#onSuspended(id, message, channel)
        else if (entry?.record.outcome !== undefined) this.#replyOutcome(channel, id)
        else if (later !== undefined) this.later.watch(id, channel)
        else this.#reply(channel, id, { type: 'unknown', end: toldEnd(entry?.end) })
        break
      }
      case 'submit':
        if (later === undefined) this.#onSubmission(id, message, channel)
        else if (sameContent(later, message.submission)) this.later.watch(id, channel)
        else this.#reply(channel, id, { type: 'refused', reason: anotherHas(id) })
        break
    }
  }

  #onSuspended(
    id: string,
    { resume, seen }: { resume?: boolean; seen: number },
    channel: Channel<SubmitMessage>
  ): void {
    if (resume === true) this.#join(this.#init.resume(id, true), channel, seen)
    else this.#reply(channel, id, { type: 'refused', reason: `job ${id} is suspended`, suspended: true })
  }

  /** Whether a new job may have this id. No client has received the end of an abandoned job, so a client that returns starts the job again. */
  #isFree(id: string): boolean {
    const entry = this.#init.journal.get(id)
    return entry === undefined || (!this.#init.jobs.has(id) && entry.end === 'abandoned')
  }

  #onSubmission(
    id: string,
    { submission, seen, got }: { submission: Submission; seen: number; got: number },
    channel: Channel<SubmitMessage>
  ): void {
    const entry = this.#init.journal.get(id)
    const isFree = entry === undefined || this.#isFree(id)
    if (!isFree && !sameContent(entry.record, submission)) {
      this.#reply(channel, id, { type: 'refused', reason: anotherHas(id) })
      return
    }
    const job = this.#init.suspended.has(id) ? this.#init.resume(id, false) : this.#init.jobs.get(id)
    if (job !== undefined) {
      this.#join(job, channel, seen)
      this.#init.goOn(job, got)
      if (submission.partials) job.reads(channel, got)
    } else if (!isFree && entry.record.outcome !== undefined) {
      this.#reply(channel, id, { type: 'accepted', folded: entry.record.outcome.stats.chunks })
      this.#replyOutcome(channel, id)
    } else if (!isFree) {
      this.#reply(channel, id, overAndForgotten(id, entry.end))
    } else {
      const overQuota = this.#quota.take(channel.remote, bytesOfSubmission(submission), this.#underWay)
      if (overQuota !== undefined) {
        this.#turnAway(channel, id, overQuota)
        return
      }
      const { disks } = this.#init.journal
      if (submission.durable > disks) {
        this.#reply(channel, id, tooFewDisks(submission.durable, disks))
        return
      }
      const noRoom = this.#init.room?.take(bytesOfSubmission(submission))
      if (noRoom !== undefined) {
        this.#tellNoRoom(channel, id, noRoom)
        return
      }
      const accepted = this.#init.accept(id, submission, channel, seen)
      // The client may already have some results from a cluster that no longer exists.
      if (submission.stream !== undefined) accepted.beginAt(got)
      if (submission.partials) accepted.reads(channel, got)
    }
  }

  get #underWay(): SizedJob[] {
    return [...this.#init.jobs.values(), ...this.#init.suspended.sizes()]
  }

  /** Asks a client to submit a job later. Refuses a job that is always too large, and a client that does not wait. */
  #turnAway(channel: Channel<SubmitMessage>, job: string, { reason, again }: OverQuota): void {
    if (again !== undefined && this.#quota.mayTell(channel.remote)) {
      this.#reply(channel, job, { type: 'busy', reason, ...again })
      return
    }
    this.#init.refusals.count('rate', channel.remote, `a job was not taken: ${reason}`)
    this.#reply(channel, job, {
      type: 'refused',
      reason: again === undefined ? reason : `${reason}: submit it again later`
    })
  }

  #tellNoRoom(channel: Channel<SubmitMessage>, job: string, noRoom: NoRoom): void {
    if (noRoom.isBrief && this.#quota.mayTell(channel.remote))
      this.#reply(channel, job, { type: 'busy', reason: noRoom.reason, ...DISK_HANGS })
    else this.#reply(channel, job, noRoomFor(noRoom))
  }

  /** Adds a client to a job of this leader. */
  #join(job: LeaderJob, channel: Channel<SubmitMessage>, seen: number): void {
    job.watch(channel)
    const { id, accepted, from } = job
    job.seen = Math.max(job.seen, seen)
    this.#init.seen(id, seen)
    // A job that this leader has not accepted yet will send `accepted` to all its clients later.
    if (!accepted) return
    const now = { progress: this.#init.progress(id), durability: this.#init.journal.held(id) }
    this.#reply(channel, id, { type: 'accepted', folded: from?.next ?? 0, ...now })
  }

  #replyOutcome(channel: Channel<SubmitMessage>, job: string): void {
    // All requests of this channel about the job need only one reply.
    for (const pending of this.#pending) if (pending.channel === channel && pending.job === job) return
    const pending = this.#ask({ job, channel, bytes: 0, isQuery: true })
    const answer = (): void => {
      this.#settle(pending)
      const outcome = this.#init.journal.get(job)?.record.outcome
      this.#reply(channel, job, outcome ?? { type: 'cancelled', stats: NO_STATS })
    }
    this.#init.journal.whenReplicated(job, answer, channel.closed)
  }

  #ask(pending: Pending): Pending {
    this.#pending.add(pending)
    this.#pendingBytes += pending.bytes
    return pending
  }

  #settle(pending: Pending): void {
    if (this.#pending.delete(pending)) this.#pendingBytes -= pending.bytes
  }

  #reply(channel: Channel<SubmitMessage>, job: string, says: FromLeaderSays): void {
    channel.send({ job, epoch: this.#init.epoch, ...says }).catch(() => {})
  }
}

function anotherHas(id: string): string {
  return `another job has the id ${id}: choose another one`
}

/** The reply to a submission whose job has ended: this leader does not run it again. */
export function overAndForgotten(id: string, end: End | undefined): FromLeaderSays {
  return { type: 'refused', reason: `job ${id} is over, and its outcome is not kept any more`, end: toldEnd(end) }
}

/** Returns the end that clients receive. For clients, an abandoned job counts as cancelled. */
export function toldEnd(end: End | undefined): JobOutcome['type'] | undefined {
  return end === 'abandoned' ? 'cancelled' : end
}
