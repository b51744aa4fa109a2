/** The texts about jobs in `top`. */
import type { JobSummary } from '../../jobs/shared/types.ts'
import type { FollowedJob } from '../../views/jobs.ts'
import { isOver, JOB_TONES } from '../../views/states.ts'
import { oneLine } from '../terminal/text-width.ts'
import type { LogEntry } from './line.ts'

/** Returns the number of chunks that all jobs complete in a second. */
export function clusterPace(jobs: readonly FollowedJob[]): number {
  return jobs.reduce((sum, { pace = 0 }) => sum + pace, 0)
}

/** Returns the name of a job for messages. */
export function jobName({ jobId, task }: Pick<JobSummary, 'jobId' | 'task'>): string {
  return `job ${oneLine(jobId).slice(0, 8)} (${oneLine(task)})`
}

/** Returns the log entries for the changes of the jobs between two answers of the leader. */
export function jobsNews(before: readonly FollowedJob[], after: readonly FollowedJob[], at: number): LogEntry[] {
  const known = new Map(before.map(job => [job.jobId, job]))
  const news = after.flatMap(job => {
    const earlier = known.get(job.jobId)
    known.delete(job.jobId)
    return jobNews(at, job, earlier)
  })
  const lost = [...known.values()].filter(({ state }) => !isOver(state))
  return [
    ...news,
    ...lost.map(job => ({ at, text: `${jobName(job)} is not known to the leader any more`, tone: 'caution' as const }))
  ]
}

function jobNews(at: number, job: FollowedJob, earlier: FollowedJob | undefined): LogEntry[] {
  const { state } = job
  const news: LogEntry[] = []
  if (earlier !== undefined && earlier.epoch !== job.epoch && !isOver(earlier.state)) {
    news.push({ at, text: `${jobName(job)} resumed under the new leader`, tone: JOB_TONES.resumed })
  }
  if (state !== earlier?.state) news.push({ at, text: `${jobName(job)} ${state}`, tone: JOB_TONES[state] })
  if (job.unserved && earlier?.unserved !== true) {
    news.push({ at, text: `${jobName(job)} waits: no peer can compute it`, tone: 'caution' })
  }
  return news
}
