import type { Client } from '../../api/types.ts'
import { wholeJobId } from '../jobs/find-job.ts'
import type { ClientFlags } from '../options/flags.ts'
import { withClient } from '../peers/client.ts'
import { print } from '../terminal/output.ts'
import { alreadyLine, jobOrState } from './cancel.ts'

export async function resume(given: string, flags: ClientFlags): Promise<number> {
  return await withClient(flags, async (client, { signal }) => {
    const id = await wholeJobId(client, given, signal)
    await print(await resumeJob(client, id, signal))
  })
}

/**
 * Resumes a suspended job.
 *
 * @returns a message about the job
 * @throws NoSuchJobError, NoClusterError, or the signal's reason
 */
export async function resumeJob(client: Client, id: string, signal: AbortSignal): Promise<string> {
  const job = await jobOrState(client, id, signal)
  if (job === 'suspended') {
    await client.job(id, { signal, suspended: 'resume' })
    return `job ${id} is resumed`
  }
  return typeof job === 'string' ? alreadyLine(id, job) : `job ${id} is not suspended: nothing has changed`
}
