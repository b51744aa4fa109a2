import type { Entry } from '../../journal/core/entry.ts'
import type { LeaderJournal } from '../../journal/leader-journal.ts'
import type { JobRecord } from '../../journal/record.ts'
import { bytesOfSubmission, NO_STATS } from '../protocol/submit-messages.ts'
import { logJob } from './job-log.ts'
import type { SizedJob } from './job-quota.ts'
import type { LeadershipParts } from './leadership-parts.ts'

export interface SuspendedJobsInit extends Pick<LeadershipParts, 'epoch' | 'logger' | 'onJobState'> {
  journal: LeaderJournal
  /** Keeps an outcome as long as its job asks for. */
  retain(job: string, record: JobRecord): void
}

/** The jobs that may have ended already. They do not run until a user says so. */
export class SuspendedJobs {
  readonly #init: SuspendedJobsInit
  readonly #jobs = new Map<string, SizedJob>()

  constructor(init: SuspendedJobsInit) {
    this.#init = init
  }

  has(job: string): boolean {
    return this.#jobs.has(job)
  }

  /** What counts against the limits of clients. */
  sizes(): Iterable<SizedJob> {
    return this.#jobs.values()
  }

  /** Handles the entry of a job that counts now. Returns whether the job is suspended. */
  update({ job, record, isSuspended = false }: Entry<JobRecord>): boolean {
    const { submission } = record
    if (!isSuspended || submission === undefined) {
      this.#jobs.delete(job)
      return false
    }
    if (!this.#jobs.has(job)) this.#tell(job, 'suspended')
    this.#jobs.set(job, { submitter: undefined, bytes: bytesOfSubmission(submission) })
    return true
  }

  /** Makes a job run. Returns its entry. `isDetached`: the job goes on without a client, unless it is a stream, whose items its client has. */
  resume(job: string, isDetached: boolean): Entry<JobRecord> {
    const { journal } = this.#init
    const entry = journal.get(job)!
    const { submission } = entry.record
    const detached = isDetached && submission?.stream === undefined && submission
    const record = detached ? { ...entry.record, submission: { ...detached, detach: true } } : entry.record
    this.#jobs.delete(job)
    journal.write({ job, submissionId: entry.submissionId, record })
    return { ...entry, record, isSuspended: false }
  }

  cancel(job: string): void {
    const { journal, retain } = this.#init
    const { submissionId, record } = journal.get(job)!
    const outcome = { type: 'cancelled', stats: NO_STATS } as const
    const ended = { ...record, submission: undefined, checkpoint: undefined, outcome }
    this.#jobs.delete(job)
    journal.write({ job, submissionId, end: 'cancelled', record: ended })
    journal.whenReplicated(job, () => {
      retain(job, ended)
      this.#tell(job, 'cancelled')
    })
  }

  #tell(job: string, state: 'suspended' | 'cancelled'): void {
    logJob(this.#init, job, state)
    this.#init.onJobState(job, state)
  }
}
