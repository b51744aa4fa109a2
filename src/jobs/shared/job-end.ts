/** The end of a job, for the client that waits for it. */
import { JobFailedError } from '../../common/errors.ts'
import type { TaskFailure } from '../../tasks/execute/failure.ts'
import { describeFailure } from '../../tasks/execute/stack.ts'
import type { SchedulerStats } from '../scheduler/index.ts'
import type { JobProgress } from './types.ts'

/** The progress of a job before the first report of a leader. */
export const NOTHING_DONE: JobProgress = {
  state: 'accepted',
  done: 0,
  total: undefined,
  peers: 0,
  retries: 0,
  recomputed: 0,
  speculated: 0,
  unserved: false
}

/** Returns the final progress of a job. `stats` are the last statistics from a leader, if a leader has sent some. */
export function lastProgress(
  before: JobProgress,
  state: 'completed' | 'failed' | 'cancelled',
  stats: SchedulerStats | undefined
): JobProgress {
  const { chunks } = stats ?? { chunks: 0 }
  const { retries, recomputed, speculated } = stats ?? before
  const whole = state === 'completed' ? { done: chunks, total: chunks } : {}
  return { ...before, ...whole, retries, recomputed, speculated, state, peers: 0, unserved: false }
}

/** @param folder - the folder of the task's file, for error stacks; `undefined` if it is unknown */
export function jobFailed(jobId: string, failure: TaskFailure, folder: string | undefined): JobFailedError {
  const { message, stack } = describeFailure(failure, folder)
  return new JobFailedError(message, { jobId, function: failure.function, index: failure.index, taskStack: stack })
}
