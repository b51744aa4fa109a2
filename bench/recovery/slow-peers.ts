/** Measures a cluster of four peers, one of which is ten times slower than the other three. */
import { alike, leaves, stands, withCluster } from './clusters.ts'
import type { SleepInput } from './tasks/sleep.ts'
import { type Trial, trial } from './trials.ts'

const TIMES = '10'

/** The times in ms, one for each run. */
export interface SlowPeer {
  four: number[]
  three: number[]
  speculating: number[]
  notSpeculating: number[]
  right: boolean
}

/** Measures a job on four peers, then on three peers after one peer has left, then on four peers after a slow peer has joined. */
export async function slowPeer(job: Omit<SleepInput, 'file'>, runs: number): Promise<SlowPeer> {
  return await withCluster(alike(4), async cluster => {
    let right = true
    const times = async (speculate: boolean): Promise<number[]> => {
      const trials: Trial[] = []
      for (let run = 0; run < runs; run++) trials.push(await trial(cluster, { job, options: { speculate } }))
      right = right && trials.every(each => each.right)
      return trials.map(({ took }) => took)
    }
    await trial(cluster, { job: { n: 20, ms: 5 } })
    const four = await times(true)
    await leaves(cluster.byRank().at(-1)!)
    await stands(cluster)
    const three = await times(true)
    // The new peer has the lowest rank, so the leader stays the same.
    cluster.join(['--election-priority=-1'], { env: { BENCH_TIMES_SLOWER: TIMES } })
    await Promise.all(cluster.live.map(peer => peer.ready()))
    await stands(cluster, cluster.live.find(({ id, leader }) => id === leader)!)
    await trial(cluster, { job: { n: 20, ms: 5 } })
    return { four, three, speculating: await times(true), notSpeculating: await times(false), right }
  })
}
