/** Follows the jobs of a view from each answer of the leader to the next answer. */
import type { JobSummary } from '../jobs/shared/types.ts'
import { paceOf, type Sample, withSample } from './pace.ts'
import { isOver } from './states.ts'

/**
 * How long an unfinished job stays in the view when the leader does not list the job, in ms. A new leader lists no jobs
 * before it has read the journals.
 */
const MISSING_MS = 10_000

export interface FollowedJob extends JobSummary {
  samples: readonly Sample[]
  /**
   * The pace in chunks a second over the last seconds; undefined while the job does not run, or the pace is unknown.
   */
  pace: number | undefined
  /** When a leader accepted the job, in ms since the epoch; undefined when no answer contained the age of the job. */
  acceptedAt: number | undefined
  /** The epoch of the leader that last listed the job. */
  epoch: number
  /** The time since which the leader does not list the job. */
  missingSince?: number
}

/**
 * @param before - the jobs of the view so far
 * @param listed - the jobs that the leader lists now
 * @returns unfinished jobs in the leader's order, then finished jobs with the newest job first
 */
export function followJobs(
  before: readonly FollowedJob[],
  listed: readonly JobSummary[],
  { at, epoch }: { at: number; epoch: number }
): FollowedJob[] {
  const known = new Map(before.map(job => [job.jobId, job]))
  const jobs = listed.map((job): FollowedJob => {
    const earlier = known.get(job.jobId)
    known.delete(job.jobId)
    const acceptedAt = job.age === undefined ? earlier?.acceptedAt : at - job.age
    return paced({ ...job, samples: earlier?.samples ?? [], pace: undefined, acceptedAt, epoch }, at)
  })
  for (const job of known.values()) {
    const missingSince = job.missingSince ?? at
    if (!isOver(job.state) && at - missingSince < MISSING_MS) jobs.push({ ...job, pace: undefined, missingSince })
  }
  const ended = jobs.filter(({ state }) => isOver(state)).sort((a, b) => (b.acceptedAt ?? 0) - (a.acceptedAt ?? 0))
  return [...jobs.filter(({ state }) => !isOver(state)), ...ended]
}

/** Adds the job's current number of done chunks as a sample of its pace. */
export function paced(job: FollowedJob, at: number): FollowedJob {
  const samples = withSample(job.samples, { at, done: job.done })
  return { ...job, samples, pace: job.state === 'running' ? paceOf(samples) : undefined }
}

/** Returns the time left for a job at its present pace, in ms; undefined when the time is unknown. */
export function timeLeft({ state, total, done, pace }: FollowedJob): number | undefined {
  if (state !== 'running' || total === undefined || pace === undefined || pace <= 0) return undefined
  return (Math.max(0, total - done) * 1_000) / pace
}
