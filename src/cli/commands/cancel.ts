import { once } from 'node:events'
import type { Client } from '../../api/types.ts'
import { JobSuspendedError, NoSuchJobError } from '../../common/errors.ts'
import type { Job, JobState } from '../../jobs/shared/types.ts'
import { isOver } from '../../views/states.ts'
import { wholeJobId } from '../jobs/find-job.ts'
import type { ClientFlags } from '../options/flags.ts'
import { withClient } from '../peers/client.ts'
import { print } from '../terminal/output.ts'

export async function cancel(given: string, flags: ClientFlags): Promise<number> {
  return await withClient(flags, async (client, { signal }) => {
    const id = await wholeJobId(client, given, signal)
    await print(await cancelJob(client, id, signal))
  })
}

/**
 * Cancels a job of any client.
 *
 * @returns the state of the job afterwards
 * @throws NoSuchJobError, NoClusterError, or the signal's reason
 */
export async function cancelJob(client: Client, id: string, signal: AbortSignal): Promise<string> {
  const job = await jobOrState(client, id, signal)
  if (job === 'suspended') return cancelledLine(await client.job(id, { signal, suspended: 'cancel' }))
  if (typeof job === 'string') return alreadyLine(id, job)
  const settled = new AbortController()
  const interrupted = once(signal, 'abort', { signal: settled.signal }).then(() => Promise.reject(signal.reason))
  // If no interruption happens, no caller awaits this promise. Its rejection must not count as an unhandled error.
  interrupted.catch(() => {})
  try {
    await Promise.race([job.cancel(), interrupted])
  } finally {
    // Removes the listener of the signal, because `top` cancels many jobs with one signal.
    settled.abort()
  }
  return cancelledLine(job)
}

/** Attaches to a job. Returns only the state if the job is suspended, or has ended. */
export async function jobOrState(client: Client, id: string, signal: AbortSignal): Promise<Job | JobState> {
  try {
    const job = await client.job(id, { signal })
    return isOver(job.progress.state) ? job.progress.state : job
  } catch (error) {
    if (error instanceof JobSuspendedError) return 'suspended'
    if (error instanceof NoSuchJobError && error.end !== undefined) return error.end
    throw error
  }
}

function cancelledLine({ id, progress: { state } }: Job): string {
  return state === 'cancelled' ? `job ${id} is cancelled` : alreadyLine(id, state)
}

/** Returns the message about a job that had ended before the command. */
export function alreadyLine(id: string, state: JobState): string {
  return `job ${id} ${state === 'cancelled' ? 'was' : 'has'} already ${state}`
}
