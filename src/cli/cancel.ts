import { once } from 'node:events'
import { NoSuchJobError } from '../errors.ts'
import type { JobState } from '../jobs/types.ts'
import { withClient } from './client.ts'
import { wholeJobId } from './find-job.ts'
import type { ClientFlags } from './flags.ts'
import { print } from './output.ts'

export async function cancel(given: string, flags: ClientFlags): Promise<number> {
  return await withClient(flags, async (client, { signal }) => {
    const id = await wholeJobId(client, given, signal)
    const job = await client.job(id, { signal }).catch((error: unknown) => {
      if (error instanceof NoSuchJobError && error.end !== undefined) return error.end
      throw error
    })
    const before = typeof job === 'string' ? job : job.progress.state
    if (typeof job === 'string' || isOver(before)) {
      await print(alreadyLine(id, before))
      return
    }
    const interrupted = once(signal, 'abort').then(() => Promise.reject(signal.reason))
    await Promise.race([job.cancel(), interrupted])
    const { state } = job.progress
    await print(state === 'cancelled' ? `job ${id} is cancelled` : alreadyLine(id, state))
  })
}

function isOver(state: JobState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}

/** What is said of a job that has ended by itself, or before. */
export function alreadyLine(id: string, state: JobState): string {
  return `job ${id} ${state === 'cancelled' ? 'was' : 'has'} already ${state}`
}
