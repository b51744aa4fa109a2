/** How near many peers come to the ideal where chunks need no processor: what is left is how soon each slot gets its next one. */
import { ProcessCluster } from '../../test/cluster/processes.ts'
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
    const found: Sleepers = {
      peers,
      chunksEach,
      idealMs: chunksEach * CHUNK_MS,
      times: [],
      computing: [],
      most: [],
      speculated: [],
      formedMs: performance.now() - began,
      right: true
    }
    await sleep(cluster, peers * WARM_UP)
    for (let run = 1; run <= runs; run++) {
      const { took, perPeer, speculated, right } = await sleep(cluster, peers * chunksEach)
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
