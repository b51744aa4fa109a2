import { root } from '../../test/cluster/processes.ts'
import { clientOf, withCluster } from '../recovery/clusters.ts'
import { checkSum, type Rate } from './rate.ts'

const NO_OP = `${root}/bench/throughput/tasks/no-op.ts`

/** A leader that only leads, two workers of one slot, and this process as client: encrypted links, results folded at the leader. */
export async function ourRate(chunks: number): Promise<Rate> {
  const leader = { args: ['--role', 'leader', '--election-priority', '1'] }
  const worker = { args: ['--role', 'worker', '--slots', '1'] }
  return await withCluster(
    [leader, worker, worker],
    async cluster => {
      await using client = await clientOf(cluster)
      const run = async (n: number): Promise<number> => {
        await using job = await client.submit<{ n: number }, number>(NO_OP, { n })
        return await job.result()
      }
      await run(Math.ceil(chunks / 10))
      const began = performance.now()
      const sum = await run(chunks)
      const ms = performance.now() - began
      checkSum('p2p-worker', chunks, sum)
      return { tasks: chunks, ms }
    },
    { firstLeads: true }
  )
}
