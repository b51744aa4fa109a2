/** How schedules stand on the jobs of each leadership of this peer. */
import { randomUUID } from 'node:crypto'
import type { Durability } from '../../journal/core/replication.ts'
import type { NoRoom } from '../../journal/journal-room.ts'
import type { LeaderJournal } from '../../journal/leader-journal.ts'
import { type JobRecord, recordOf } from '../../journal/record.ts'
import type { RunState, ScheduleRecord } from '../../journal/schedule-record.ts'
import type { PeerIdString } from '../../network/types.ts'
import { NO_STATS, type Submission, type SubmissionContent, sameContent } from '../protocol/submit-messages.ts'
import type { JobEventState } from '../shared/types.ts'
import type { ClientRequests } from './client-requests.ts'
import { logJob } from './job-log.ts'
import type { LaterJobs } from './later-jobs.ts'
import type { LeadershipParts } from './leadership-parts.ts'
import type { DiskShortage } from './refusals.ts'

export type { Durability }

/** Why a leader does not take a job. */
export interface DueRefusal {
  reason: string
  /** Whether the leader never takes the job. Otherwise it may take the job later. */
  isFinal: boolean
  /** Set if too few disks can hold the job. */
  notDurable?: DiskShortage['notDurable'] | undefined
}

/** The schedules of one leadership. */
export interface LedSchedules {
  /** An earlier leader has written an entry of a schedule. */
  adopted(key: string, record: ScheduleRecord): void
  /** This leader knows all jobs and schedules of earlier leaders. */
  ready(): void
  /** A job was accepted, or has ended. */
  onJob(job: string, state: RunState): void
  /** A job that was submitted is not accepted after all. */
  onRefused(job: string, refusal: DueRefusal): void
  /** Returns the content of a job that is not due yet. Returns `undefined` for any other job. */
  laterJob(job: string): SubmissionContent | undefined
  /** Calls `run` as soon as enough peers hold a job that is not due yet, unless `signal` aborts first. */
  whenHeld(job: string, run: (durability: Durability) => void, signal: AbortSignal): void
  /** The number of peers that hold an entry has changed. */
  onHeld(key: string, durability: Durability): void
  /** A new entry needs more disks than there are. */
  onNotDurable(key: string, disks: number): void
  /** Removes a job that is not due yet. */
  cancel(job: string): void
  stop(): void
}

/** Keeps the schedules while this peer leads. */
export interface ScheduleKeeper {
  lead(jobs: DueJobs): LedSchedules
}

export interface DueJobsInit extends Pick<LeadershipParts, 'epoch' | 'logger' | 'onJobState' | 'room'> {
  self: PeerIdString
  journal: LeaderJournal
  requests: ClientRequests
  /** Keeps an outcome as long as its job asks for. */
  retain(job: string, record: JobRecord): void
}

/** The jobs and the journal of one leadership, for its schedules. */
export class DueJobs {
  readonly #init: DueJobsInit

  constructor(init: DueJobsInit) {
    this.#init = init
  }

  get epoch(): number {
    return this.#init.epoch
  }

  /** The number of disks that take entries. */
  get disks(): number {
    return this.#init.journal.disks
  }

  /** Writes an entry that must be on `durable` disks. Calls `done` when it is replicated. */
  write(key: string, record: ScheduleRecord, durable: number, done: () => void): void {
    this.#init.journal.writeSchedule(key, record, durable, done)
  }

  forget(key: string): void {
    this.#init.journal.forget(key)
  }

  /** Counts the bytes of a new schedule. Returns why the data folder of this leader has no room for them. */
  take(bytes: number): NoRoom | undefined {
    return this.#init.room?.take(bytes)
  }

  /** Submits a job that no client waits for. Returns why the leader does not take it. {@link LedSchedules.onJob} tells when it is accepted. */
  submit(job: string, submission: Submission): DueRefusal | undefined {
    return this.#init.requests.submitDue(job, submission)
  }

  /** Returns the state of a job that this leader knows, also of one whose outcome is not kept any more. */
  stateOf(job: string): RunState | undefined {
    const entry = this.#init.journal.get(job)
    // An abandoned job was refused after all, and may start again.
    if (entry === undefined || entry.end === 'abandoned') return undefined
    // A suspended job has probably ended. It must not hold up the later jobs of its schedule.
    return entry.end ?? (entry.isSuspended === true ? 'cancelled' : 'running')
  }

  /** Whether enough peers store the newest entry of a job that this leader knows. */
  isStored(job: string): boolean {
    return this.#init.journal.isReplicated(job)
  }

  /** Calls `run` as soon as enough peers store the newest entry with this key, unless `signal` aborts first. */
  whenStored(key: string, run: () => void, signal?: AbortSignal): void {
    this.#init.journal.whenReplicated(key, run, signal)
  }

  /** Returns at how many peers an entry is held. */
  held(key: string): Durability {
    return this.#init.journal.held(key)
  }

  /** Whether another job has this id. */
  isTaken(job: string, content: SubmissionContent): boolean {
    const entry = this.#init.journal.get(job)
    return entry !== undefined && entry.end !== 'abandoned' && !sameContent(entry.record, content)
  }

  /** Ends a job that this leader does not know, because it has not started. Calls `done` when enough peers store that. */
  cancel(job: string, submission: Submission, done: () => void): void {
    const { self: leader, epoch, journal, retain, onJobState } = this.#init
    const outcome = { type: 'cancelled', stats: NO_STATS } as const
    const record = { ...recordOf(submission, 1, { leader, epoch }), submission: undefined, outcome }
    const { durable } = submission
    journal.write({ job, submissionId: randomUUID(), end: 'cancelled', durable, record })
    journal.whenReplicated(job, () => {
      retain(job, record)
      logJob(this.#init, job, 'cancelled')
      onJobState(job, 'cancelled')
      done()
    })
  }

  /** The clients that wait for jobs that are not due yet. */
  get later(): LaterJobs {
    return this.#init.requests.later
  }
}

/** Returns the state of a job for its schedule. Returns `undefined` for changes that do not matter to it. */
export function runStateOf(state: JobEventState): RunState | undefined {
  if (state === 'accepted' || state === 'resumed') return 'running'
  return state === 'running' || state === 'suspended' ? undefined : state
}
