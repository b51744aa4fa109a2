/** Measures the cost of checkpoints: the same job runs alternately on two clusters, one of which takes no checkpoints (observe.mjs). */
import { type ProcessCluster, root } from '../../test/cluster/processes.ts'
import { cpuTime } from '../membership/idle.ts'
import { alike, clientOf, withCluster, within } from './clusters.ts'
import { bytesWritten, type Folded, lastFolded, observable } from './observed.ts'
import type { FoldInput } from './tasks/fold.ts'

/** The time limit of a job, in ms. */
const LIMIT = 180_000
/** The number of peers besides the leader: two peers that store the checkpoints, and one more peer. The leader computes no chunks. */
const OTHERS = 3
/** The number of folds of the job that measures the time of a fold. */
const WARM_UP = 1_000

export interface Folding {
  /** The size of the accumulator as text for the table. */
  name: string
  /** The size of the accumulator, in bytes. */
  bytes: number
  /** The approximate time of the job, in ms. */
  lasts: number
  runs: number
}

interface Cost {
  took: number
  /** The number of bytes that all peers have written. */
  bytes: number
  /** The processor time of all peers, in ms. */
  cpu: number
  /** The measurements of the thread that folded the job. */
  folded: Folded
  result: number
}

export interface CheckpointCost {
  /** The runs with checkpoints. They alternated with the runs without checkpoints. */
  taking: Cost[]
  without: Cost[]
  /** Whether all results are equal. */
  right: boolean
}

export async function checkpointCosts(
  foldings: readonly Folding[],
  tell: (folding: Folding, cost: CheckpointCost) => void
): Promise<CheckpointCost[]> {
  return await withLeader(true, takes =>
    withLeader(false, async takesNone => {
      for (const cluster of [takes, takesNone]) await costOf(cluster, { n: WARM_UP, bytes: 1_000 })
      const costs: CheckpointCost[] = []
      for (const folding of foldings) {
        const cost: CheckpointCost = { taking: [], without: [], right: true }
        // Measures how many folds this machine currently completes in the time of the job.
        const warmUp = { n: WARM_UP, bytes: folding.bytes }
        const { took } = await costOf(takes, warmUp)
        await costOf(takesNone, warmUp)
        const input = { n: Math.ceil((folding.lasts * WARM_UP) / took), bytes: folding.bytes }
        for (let run = 0; run < folding.runs; run++) {
          cost.taking.push(await costOf(takes, input))
          cost.without.push(await costOf(takesNone, input))
        }
        cost.right = new Set([...cost.taking, ...cost.without].map(({ result }) => result)).size === 1
        costs.push(cost)
        tell(folding, cost)
      }
      return costs
    })
  )
}

function withLeader<T>(checkpoints: boolean, use: (cluster: ProcessCluster) => Promise<T>): Promise<T> {
  const leader = { args: ['--role', 'leader', '--election-priority', '1'], env: observable({ checkpoints }) }
  return withCluster([leader, ...alike(OTHERS)], use, { firstLeads: true })
}

async function costOf(cluster: ProcessCluster, input: FoldInput): Promise<Cost> {
  const leader = cluster.peers[0]!
  await using client = await clientOf(cluster)
  const used = await cpuOf(cluster)
  const before = await bytesWritten(cluster.peers)
  const began = performance.now()
  await using job = await client.submit<FoldInput, number>(`${root}/bench/recovery/tasks/fold.ts`, input, {
    speculate: false
  })
  const result = await within(LIMIT, 'the result', job.result())
  const took = performance.now() - began
  const bytes = (await bytesWritten(cluster.peers)) - before
  const cpu = (await cpuOf(cluster)) - used
  return { took, bytes, cpu, folded: await lastFolded(cluster, leader), result }
}

async function cpuOf({ peers }: ProcessCluster): Promise<number> {
  const each = await Promise.all(peers.map(({ child }) => cpuTime(child.pid!)))
  return each.reduce((sum, ms) => sum + ms, 0)
}
