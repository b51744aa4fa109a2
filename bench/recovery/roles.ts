/** Compares a leader that also computes with a leader that only leads: the time of a job, and the load of the leader. */

import type { ProcessCluster } from '../../test/cluster/processes.ts'
import { cpuTime } from '../membership/idle.ts'
import { alike, withCluster } from './clusters.ts'
import { type Observed, observable, observe } from './observed.ts'
import { trial } from './trials.ts'

export interface LeaderRole {
  peers: number
  role: 'auto' | 'leader'
  /** Whether the chunks keep a processor busy. Otherwise the chunks sleep. */
  busy: boolean
  /** The times in ms, one for each run. */
  times: number[]
  /** The share of one core that the leader's process and its threads used, in percent. */
  cpu: number[]
  observed: Observed[]
  right: boolean
}

const CHUNK_MS = 20

/** @param chunks - the number of chunks of the job: for each peer if the chunks sleep, in total if the chunks compute */
export async function leaderRoles(
  sizes: readonly number[],
  runs: number,
  chunks: { asleep: number; busy: number },
  tell: (row: LeaderRole) => void
): Promise<LeaderRole[]> {
  const rows: LeaderRole[] = []
  for (const peers of sizes) {
    for (const role of ['auto', 'leader'] as const) {
      const leader = { args: ['--role', role, '--election-priority', '1'], env: observable() }
      const all = [leader, ...alike(peers - 1)]
      const measure = async (cluster: ProcessCluster): Promise<void> => {
        await trial(cluster, { job: { n: 10 * peers, ms: 5 } })
        for (const busy of [false, true]) {
          const row: LeaderRole = { peers, role, busy, times: [], cpu: [], observed: [], right: true }
          const job = { n: busy ? chunks.busy : chunks.asleep * peers, ms: CHUNK_MS, busy }
          for (let run = 0; run < runs; run++) {
            const [first] = cluster.peers
            await observe(cluster, first!)
            const cpu = await cpuTime(first!.child.pid!)
            const { took, right } = await trial(cluster, { job })
            row.cpu.push((((await cpuTime(first!.child.pid!)) - cpu) / took) * 100)
            row.observed.push(await observe(cluster, first!))
            row.times.push(took)
            row.right = row.right && right
          }
          rows.push(row)
          tell(row)
        }
      }
      await withCluster(all, measure, { firstLeads: true })
    }
  }
  return rows
}
