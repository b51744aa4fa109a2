/** How near many peers come to the ideal where chunks need no processor: what is left is how soon each slot gets its next one. */
import { setTimeout as delay } from 'node:timers/promises'
import { ProcessCluster } from '../../test/cluster/processes.ts'
import { cpuTime } from '../membership/idle.ts'
import { joinMany } from '../membership/many-peers.ts'
import { using } from '../membership/resources.ts'
import { clientOf, stands, within } from '../recovery/clusters.ts'
import type { SleepInput } from '../recovery/tasks/sleep.ts'
import { sumOf } from '../recovery/tasks/term.ts'
import { taskFile } from './trio.ts'

/** Of one chunk. */
const CHUNK_MS = 100
/** Of the first job, for each peer. */
const WARM_UP = 2
/** Of peers that the client is told of. */
const ADDRESSES = 3
/** How long it may take to be attached, in ms: the processors may still be busy with the links of so many peers. */
const ATTACH_LIMIT = 60_000
/** The peers are calm when each takes so much of a core at most: what the links of the start have left to do is done. */
const CALM = 0.015
/** Over how long that is looked at, and for how long at most it is waited for, in ms. */
const CALM_WINDOW = 5_000
const CALM_LIMIT = 180_000
/** A job of this row that takes longer, in ms, never ends. */
const LIMIT = 120_000

export interface Sleepers {
  peers: number
  chunksEach: number
  /** In ms, if each slot began the next chunk as soon as one ends. */
  idealMs: number
  /** From submission to result, a figure a run. */
  times: number[]
  /** How many peers computed something: a leader that has many slots to lead does not. */
  computing: number[]
  /** Of the peer that computed most chunks. */
  most: number[]
  speculated: number[]
  /** From the first process until all agreed. */
  formedMs: number
  /** Of a core, all peers together, before the first job. */
  idleCores: number
  /** The same while a job ran, a figure a run. */
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

/** Waits until the peers are calm, but not for ever; resolves with what they take of a core together. */
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
  // As a user does: a few addresses.
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
