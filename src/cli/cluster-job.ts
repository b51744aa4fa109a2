import type { Client } from '../api.ts'
import type { Job } from '../jobs/types.ts'
import type { JobSource } from './await-job.ts'
import { closeClient, connectClient } from './client.ts'
import type { OutcomeFlags } from './flags.ts'

/** Looks for the cluster, and gets a job from it. */
export function fromCluster(flags: OutcomeFlags, get: (client: Client) => Promise<Job>): JobSource {
  let client: Client | undefined
  return {
    async open(signal) {
      client = await connectClient(flags, signal)
      return await get(client)
    },
    async close() {
      if (client !== undefined) await closeClient(client)
    }
  }
}
