import type { JobOutcome } from '../protocol/submit-messages.ts'

/** What the log says of a job that has ended. `since`: when it came to its leader, by `performance.now()`. */
export function endLine(since: number, outcome: JobOutcome): object {
  const { chunks, retries, recomputed, speculated } = outcome.stats
  const counts = { chunks, retries, recomputed, speculated, ms: Math.round(performance.now() - since) }
  if (outcome.type !== 'failed') return counts
  const { function: fn, index, name, message } = outcome.failure
  return { ...counts, function: fn, index, error: { type: name, message } }
}
