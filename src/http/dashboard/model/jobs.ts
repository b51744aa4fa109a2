/** The jobs as the page follows them, from one status to the next. */
import type { JobState } from '../../../jobs/shared/types.ts'
import { paceOf, type Sample, withSample } from './pace.ts'
import type { WireJob } from './wire.ts'

/** A job that goes on and is not in a status stays for so long, in ms: a new leader lists none before it has read the journals. */
const MISSING_MS = 10_000

export interface ShownJob extends WireJob {
  samples: readonly Sample[]
  /** Chunks a second over the last seconds; undefined while it does not run, or that cannot be told. */
  pace: number | undefined
  /** When a leader accepted it, as far as one has told. */
  acceptedAt: number | undefined
  /** Since when the leader does not tell of it; undefined while it does. */
  missingSince: number | undefined
}

export function isOver(state: JobState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}

/** @returns those that go on first, in the order in which they came, then those that ended, the newest first */
export function followJobs(before: readonly ShownJob[], told: readonly WireJob[], at: number): ShownJob[] {
  const known = new Map(before.map(job => [job.jobId, job]))
  const jobs = told.map((job): ShownJob => {
    const earlier = known.get(job.jobId)
    const acceptedAt = job.ageMs === null ? earlier?.acceptedAt : (earlier?.acceptedAt ?? at - job.ageMs)
    return paced({ ...job, samples: earlier?.samples ?? [], pace: undefined, acceptedAt, missingSince: undefined }, at)
  })
  const listed = new Set(told.map(({ jobId }) => jobId))
  for (const job of before) {
    if (listed.has(job.jobId) || isOver(job.state)) continue
    const missingSince = job.missingSince ?? at
    if (at - missingSince < MISSING_MS) jobs.push({ ...job, pace: undefined, missingSince })
  }
  const ended = jobs.filter(({ state }) => isOver(state)).sort((a, b) => (b.acceptedAt ?? 0) - (a.acceptedAt ?? 0))
  return [...jobs.filter(({ state }) => !isOver(state)), ...ended]
}

/** So much was done until now. */
export function paced(job: ShownJob, at: number): ShownJob {
  const samples = withSample(job.samples, { at, done: job.done })
  return { ...job, samples, pace: job.state === 'running' ? paceOf(samples) : undefined }
}

/** How many chunks came since, of jobs that were known before, and of those that began since. */
export function doneSince(before: readonly ShownJob[], told: readonly WireJob[]): number {
  const known = new Map(before.map(({ jobId, done }) => [jobId, done]))
  return told.reduce((sum, { jobId, done }) => sum + Math.max(0, done - (known.get(jobId) ?? 0)), 0)
}
