import type { Logger } from '../../common/logger.ts'
import type { JobOutcome } from '../protocol/submit-messages.ts'
import type { JobEventState } from '../shared/types.ts'
import type { LeaderJob } from './leader-job.ts'

/** Logs a change of the state of a job. */
export function logJob(
  { logger, epoch }: { logger: Logger; epoch: number },
  jobId: string,
  state: JobEventState,
  more: object = {}
): void {
  logger.info({ event: 'job', jobId, state, epoch, ...more }, `job ${state}`)
}

/** Returns the log fields of a job that has ended. */
export function endFields(job: Pick<LeaderJob, 'since'>, outcome: JobOutcome): object {
  const { perPeer: _, ...counts } = outcome.stats
  return { ...counts, ms: Math.round(performance.now() - job.since), ...failureFields(outcome) }
}

function failureFields(outcome: JobOutcome): object {
  if (outcome.type !== 'failed') return {}
  const { function: fn, index, name, message } = outcome.failure
  return { function: fn, index, error: { type: name, message } }
}
