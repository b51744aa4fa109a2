/** The jobs as `top` follows them, from one answer of the leader to the next. */
import type { JobState, JobSummary } from '../../jobs/shared/types.ts'
import { oneLine } from '../terminal/text-width.ts'
import type { LogEntry, Tone } from './line.ts'
import { paceOf, type Sample, withSample } from './pace.ts'

/**
 * A job that goes on and is not in an answer stays for so long, in ms: a new leader does not list it before it has read the journals.
 */
const MISSING_MS = 10_000

export interface ShownJob extends JobSummary {
  samples: readonly Sample[]
  /** Chunks a second over the last seconds; undefined while it does not run, or that cannot be told. */
  pace: number | undefined
  /** When a leader accepted it, as far as one has told, in ms since the epoch. */
  acceptedAt: number | undefined
  /** Under which leadership it was last told of. */
  epoch: number
  /** Since when the leader does not tell of it. */
  missingSince?: number
}

export function isOver(state: JobState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}

/** Chunks a second of all jobs. */
export function clusterPace(jobs: readonly ShownJob[]): number {
  return jobs.reduce((sum, { pace = 0 }) => sum + pace, 0)
}

/** How a job is called in messages. */
export function jobName({ jobId, task }: Pick<JobSummary, 'jobId' | 'task'>): string {
  return `job ${oneLine(jobId).slice(0, 8)} (${oneLine(task)})`
}

/**
 * @param before - those that were shown so far
 * @param told - those that the leader tells of now
 * @returns the jobs, those that go on first, and what has happened to them
 */
export function followJobs(
  before: readonly ShownJob[],
  told: readonly JobSummary[],
  now: { at: number; epoch: number }
): { jobs: ShownJob[]; news: LogEntry[] } {
  const { at, epoch } = now
  const known = new Map(before.map(job => [job.jobId, job]))
  const jobs = told.map((job): ShownJob => {
    const earlier = known.get(job.jobId)
    const samples = withSample(earlier?.samples ?? [], { at, done: job.done })
    return {
      ...job,
      samples,
      pace: job.state === 'running' ? paceOf(samples) : undefined,
      acceptedAt: job.age === undefined ? earlier?.acceptedAt : at - job.age,
      epoch
    }
  })
  const news = jobs.flatMap(job => jobNews(at, job, known.get(job.jobId)))

  const listed = new Set(jobs.map(({ jobId }) => jobId))
  for (const job of before) {
    if (listed.has(job.jobId) || isOver(job.state)) continue
    const missingSince = job.missingSince ?? at
    if (at - missingSince < MISSING_MS) jobs.push({ ...job, pace: undefined, missingSince })
    else news.push({ at, text: `${jobName(job)} is not known to the leader any more`, tone: 'caution' })
  }

  const ended = jobs.filter(({ state }) => isOver(state)).sort((a, b) => (b.acceptedAt ?? 0) - (a.acceptedAt ?? 0))
  return { jobs: [...jobs.filter(({ state }) => !isOver(state)), ...ended], news }
}

const TONES: Record<JobState, Tone> = {
  accepted: 'plain',
  running: 'plain',
  completed: 'good',
  failed: 'bad',
  cancelled: 'caution'
}

function jobNews(at: number, job: ShownJob, earlier: ShownJob | undefined): LogEntry[] {
  const { state } = job
  const news: LogEntry[] = []
  if (earlier !== undefined && earlier.epoch !== job.epoch && !isOver(earlier.state)) {
    news.push({ at, text: `${jobName(job)} resumed under the new leader`, tone: 'good' })
  }
  if (state !== earlier?.state) news.push({ at, text: `${jobName(job)} ${state}`, tone: TONES[state] })
  if (job.unserved && earlier?.unserved !== true) {
    news.push({ at, text: `${jobName(job)} waits: no peer can compute it`, tone: 'caution' })
  }
  return news
}
