/** Measures how close many peers come to the ideal time of a job whose chunks sleep. The difference is the time that slots wait for their next chunk. */
import { setTimeout as delay } from 'node:timers/promises'
import { ProcessCluster } from '../../test/cluster/processes.ts'
import { cpuTime } from '../membership/idle.ts'
import { joinMany } from '../membership/many-peers.ts'
import { using } from '../membership/resources.ts'
import { clientOf, stands, within } from '../recovery/clusters.ts'
import type { SleepInput } from '../recovery/tasks/sleep.ts'
import { sumOf } from '../recovery/tasks/term.ts'
import { taskFile } from './trio.ts'

/** The time of one chunk, in ms. */
const CHUNK_MS = 100
/** The number of chunks for each peer in the warm-up job. */
const WARM_UP = 2
/** The number of peers whose addresses the client gets. */
const ADDRESSES = 3
/** The time within which the client must be attached, in ms. The processors may still be busy with the links of so many peers. */
const ATTACH_LIMIT = 60_000
/** The largest share of a core, as a mean over all peers, at which the peers count as calm. Peers are calm after the work of their start is done. */
const CALM = 0.015
/** The duration of the measurement that decides whether peers are calm, and the longest wait until they are calm, in ms. */
const CALM_WINDOW = 5_000
const CALM_LIMIT = 180_000
/** The time limit of a job, in ms. */
const LIMIT = 120_000

export interface Sleepers {
  peers: number
  chunksEach: number
  /** The time of the job, in ms, if each slot began its next chunk without a delay. */
  idealMs: number
  /** The times from submission to result in ms, one for each run. */
  times: number[]
  /** The number of peers that computed chunks. A leader of many slots computes none. */
  computing: number[]
  /** The largest number of chunks that a single peer computed. */
  most: number[]
  speculated: number[]
  /** The time from the start of the first process until all peers agreed on the leader, in ms. */
  formedMs: number
  /** The number of cores that all peers together used before the first job. */
  idleCores: number
  /** The number of cores that all peers together used during a job, one figure for each run. */
  cores: number[]
  right: boolean
}

export async function sleepers(
  peers: number,
  chunksEach: number,
  runs: number,
  tell: (run: number, found: Sleepers) => void
): Promise<Sleepers> {
  return await using(ProcessCluster.create(), async cluster => {
    const began = performance.now()
    await joinMany(cluster, peers)
    await stands(cluster)
    const formedMs = performance.now() - began
    const found: Sleepers = {
      peers,
      chunksEach,
      idealMs: chunksEach * CHUNK_MS,
      times: [],
      computing: [],
      most: [],
      speculated: [],
      formedMs,
      idleCores: await calm(cluster),
      cores: [],
      right: true
    }
    await sleep(cluster, peers * WARM_UP)
    for (let run = 1; run <= runs; run++) {
      const used = await cpuOf(cluster)
      const { took, perPeer, speculated, right } = await sleep(cluster, peers * chunksEach)
      found.cores.push(((await cpuOf(cluster)) - used) / took)
      found.times.push(took)
      found.computing.push(perPeer.length)
      found.most.push(Math.max(...perPeer))
      found.speculated.push(speculated)
      found.right = found.right && right
      tell(run, found)
    }
    return found
  })
}

/** Waits until the peers are calm or the time limit is exceeded. Resolves to the number of cores that the peers use. */
async function calm(cluster: ProcessCluster): Promise<number> {
  for (const end = performance.now() + CALM_LIMIT; ; ) {
    const [used, began] = [await cpuOf(cluster), performance.now()]
    await delay(CALM_WINDOW)
    const cores = ((await cpuOf(cluster)) - used) / (performance.now() - began)
    if (cores <= CALM * cluster.live.length || performance.now() > end) return cores
  }
}

async function cpuOf({ live }: ProcessCluster): Promise<number> {
  const each = await Promise.all(live.map(({ child }) => cpuTime(child.pid!)))
  return each.reduce((sum, ms) => sum + ms, 0)
}

async function sleep(
  cluster: ProcessCluster,
  n: number
): Promise<{ took: number; perPeer: number[]; speculated: number; right: boolean }> {
  // A user would give the client only a few addresses.
  const peers = cluster.live.slice(0, ADDRESSES)
  await using client = await clientOf(cluster, { peers, wait: ATTACH_LIMIT })
  const input = { n, ms: CHUNK_MS }
  const began = performance.now()
  await using job = await client.submit<SleepInput, number>(taskFile('sleep', 'recovery'), input)
  const result = await within(LIMIT, 'the result', job.result())
  const took = performance.now() - began
  const { perPeer, speculated } = job.stats!
  return { took, perPeer: Object.values(perPeer), speculated, right: Object.is(result, sumOf(n)) }
}
