import { P2pWorkerError } from '../../common/errors.ts'
import { awaitJob } from '../jobs/await-job.ts'
import { fromCluster } from '../jobs/cluster-job.ts'
import { wholeJobId } from '../jobs/find-job.ts'
import { tellDisks } from '../jobs/waiting.ts'
import type { OutcomeFlags } from '../options/flags.ts'

export async function result(id: string, flags: OutcomeFlags): Promise<number> {
  return await awaitJob(flags, {
    prepare: async signal =>
      fromCluster(flags, async (client, closed) => {
        const jobId = await wholeJobId(client, id, signal)
        // A script that reads JSON from stdout treats text on stderr as an error.
        if (!flags.json) tellDisks(client, jobId, closed)
        return await client.job(jobId, { signal })
      }),
    joins: true,
    unserved: 'no live peer can compute the job: it waits for one (join --tag gives a peer a tag)',
    interrupted: async job =>
      new P2pWorkerError(`left job ${job.id}: it goes on if it is detached, or if somebody else waits for it`)
  })
}
