/** Starts the cluster of most rows: a leader that only leads and two workers of one slot, with encrypted links as always. */
import type { Client } from '../../src/api/types.ts'
import { type ProcessCluster, root } from '../../test/cluster/processes.ts'
import { clientOf, withCluster, within } from '../recovery/clusters.ts'

/** The time limit of a job, in ms. */
const LIMIT = 180_000

/** Runs `use` with the cluster and a client in this process. */
export async function withTrio<T>(
  use: (client: Client, cluster: ProcessCluster) => Promise<T>,
  env: NodeJS.ProcessEnv = {}
): Promise<T> {
  const leader = { args: ['--role', 'leader', '--election-priority', '1'], env }
  const worker = { args: ['--role', 'worker', '--slots', '1'], env }
  return await withCluster(
    [leader, worker, worker],
    async cluster => {
      await using client = await clientOf(cluster)
      return await use(client, cluster)
    },
    { firstLeads: true }
  )
}

/** Returns the path of a task of this benchmark or, with `bench`, of another benchmark. */
export function taskFile(name: string, bench = 'throughput'): string {
  return `${root}/bench/${bench}/tasks/${name}.ts`
}

/** Submits a job and waits for its result. */
export async function resultOf<Result>(client: Client, task: string, input: unknown): Promise<Result> {
  await using job = await client.submit<unknown, Result>(task, input)
  return await within(LIMIT, 'the result', job.result())
}
