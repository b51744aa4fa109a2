import type { Client } from '../../api/types.ts'
import type { Job } from '../../jobs/shared/types.ts'
import type { OutcomeFlags } from '../options/flags.ts'
import { closeClient, connectDuring } from '../peers/client.ts'
import type { JobSource } from './await-job.ts'

/**
 * Connects to the cluster and gets a job from it.
 *
 * @param get - gets the job; its signal aborts when the command no longer waits for the job
 * @param check - a validation that runs while the client connects; its error is reported instead of an error of the
 * connection
 */
export function fromCluster(
  flags: OutcomeFlags,
  get: (client: Client, closed: AbortSignal) => Promise<Job>,
  check: () => Promise<unknown> = async () => {}
): JobSource {
  const closed = new AbortController()
  let client: Client | undefined
  return {
    async open(signal) {
      client = await connectDuring(check, flags, signal)
      return await get(client, closed.signal)
    },
    async close() {
      closed.abort()
      if (client !== undefined) await closeClient(client)
    }
  }
}
