import type { Entry } from '../../journal/core/entry.ts'
import type { LeaderJournal } from '../../journal/leader-journal.ts'
import type { JobRecord } from '../../journal/record.ts'
import type { JobProgress, JobSummary } from '../shared/types.ts'

export interface SummariesInit {
  progress(job: string): JobProgress | undefined
  /** When this leader accepted a job, by `performance.now()`. */
  since(job: string): number | undefined
  /** Whether the clients of a job have received its outcome. */
  isReported(job: string): boolean
}

/** Returns the summaries of all jobs but those of which only the tombstone is left. */
export function summariesOf(journal: LeaderJournal, init: SummariesInit): JobSummary[] {
  return [...journal.entries()].flatMap(entry => {
    const { job: jobId, record, durable } = entry
    const since = init.since(jobId)
    const age = since === undefined ? undefined : Math.round(performance.now() - since)
    const state = stateOf(entry, init)
    if (state === undefined) return []
    return [{ jobId, task: record.task, ...state, age, durable, durability: journal.held(jobId) }]
  })
}

/**
 * Returns `undefined` if only the tombstone of the job is left. As long as an outcome is not reported, because too few peers or disks hold it, the job
 * counts as running.
 */
function stateOf(
  { job, record, isSuspended, next }: Entry<JobRecord>,
  { progress, isReported }: SummariesInit
): Pick<JobSummary, 'state' | 'done' | 'total' | 'unserved'> | undefined {
  if (isSuspended === true) return { state: 'suspended', done: next, total: undefined, unserved: false }
  const now = progress(job)
  if (now !== undefined) {
    const { state, done, total, unserved } = now
    return { state, done, total, unserved }
  }
  const { outcome } = record
  if (outcome === undefined) return undefined
  const { chunks, perPeer } = outcome.stats
  const done = Object.values(perPeer).reduce((sum, count) => sum + count, 0)
  const total = outcome.type === 'completed' ? chunks : undefined
  return { state: isReported(job) ? outcome.type : 'running', done, total, unserved: false }
}
