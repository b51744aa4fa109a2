import type { JobRecord } from '../../journal/record.ts'
import type { JobOutcome } from '../protocol/submit-messages.ts'
import type { JobDurability, JobProgress, JobSummary } from '../shared/types.ts'

/**
 * Returns the summary of a job for clients. Returns `undefined` if only the tombstone of the job is left. As long as an outcome is not reported, because
 * too few peers or disks hold it, the job counts as running.
 */
export function summaryOf(
  jobId: string,
  record: JobRecord,
  progress: JobProgress | undefined,
  age: number | undefined,
  held: { durable: number; durability: JobDurability; isReported: boolean }
): JobSummary | undefined {
  const { task, outcome } = record
  const { isReported, ...where } = held
  if (progress !== undefined) {
    const { state, done, total, unserved } = progress
    return { jobId, task, state, done, total, unserved, age, ...where }
  }
  if (outcome === undefined) return undefined
  const { chunks, perPeer } = outcome.stats
  const done = Object.values(perPeer).reduce((sum, count) => sum + count, 0)
  const total = outcome.type === 'completed' ? chunks : undefined
  return { jobId, task, state: isReported ? outcome.type : 'running', done, total, unserved: false, age, ...where }
}

/** Returns the log fields of a failure. */
export function failureFields(outcome: JobOutcome): object {
  if (outcome.type !== 'failed') return {}
  const { function: fn, index, name, message } = outcome.failure
  return { function: fn, index, error: { type: name, message } }
}
