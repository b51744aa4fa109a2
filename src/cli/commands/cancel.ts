import { once } from 'node:events'
import type { Client } from '../../api/types.ts'
import { NoSuchJobError } from '../../common/errors.ts'
import type { JobState } from '../../jobs/shared/types.ts'
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
  const job = await client.job(id, { signal }).catch((error: unknown) => {
    if (error instanceof NoSuchJobError && error.end !== undefined) return error.end
    throw error
  })
  const before = typeof job === 'string' ? job : job.progress.state
  if (typeof job === 'string' || isOver(before)) return alreadyLine(id, before)
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
  const { state } = job.progress
  return state === 'cancelled' ? `job ${id} is cancelled` : alreadyLine(id, state)
}

/** Returns the message about a job that had ended before the cancellation. */
export function alreadyLine(id: string, state: JobState): string {
  return `job ${id} ${state === 'cancelled' ? 'was' : 'has'} already ${state}`
}
