/** Measures leaders that hand over in the middle of a job. No peer dies, so no chunk needs to be computed twice. */
import type { PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'
import { fill, leaves, PEERS } from './clusters.ts'
import { type Again, againIn } from './executions.ts'
import { trial } from './trials.ts'

/** The job of this row. The job is longer than other jobs, because a joining process takes a second to start and half a second to take over. */
export const HAND_OFF_JOB = { n: 480, ms: 50 }
const JOINS_AT = 40

export interface HandOff {
  right: boolean
  again: Again
  took: number
  /** The number of chunks that had been computed when the next leader reported its leadership. */
  doneAtHandOff: number
}

/** Lets a new highest-ranked peer join during the job, and leave after the job. */
export async function joins(
  cluster: ProcessCluster,
  runs: number,
  tell: (run: number, handOff: HandOff) => void
): Promise<HandOff[]> {
  const found: HandOff[] = []
  for (let run = 0; run < runs; run++) {
    await fill(cluster, PEERS)
    let joiner: PeerProcess | undefined
    const act = (): void => {
      joiner = cluster.join(['--election-priority', '1'])
    }
    found.push(await handOff(cluster, JOINS_AT, act, () => joiner!))
    tell(run + 1, found.at(-1)!)
    await leaves(joiner!)
  }
  return found
}

/** Ends the leader with SIGTERM during the job. */
export async function departures(
  cluster: ProcessCluster,
  runs: number,
  tell: (run: number, handOff: HandOff) => void
): Promise<HandOff[]> {
  const found: HandOff[] = []
  for (let run = 0; run < runs; run++) {
    await fill(cluster, PEERS)
    const [leader, next] = cluster.byRank()
    const act = (): Promise<void> => leaves(leader!)
    found.push(await handOff(cluster, HAND_OFF_JOB.n / 2, act, () => next!))
    tell(run + 1, found.at(-1)!)
  }
  return found
}

async function handOff(
  cluster: ProcessCluster,
  chunks: number,
  act: () => Promise<void> | void,
  next: () => PeerProcess
): Promise<HandOff> {
  const { right, executions, took, disturbed, ends } = await trial(cluster, {
    job: HAND_OFF_JOB,
    middle: { chunks, act }
  })
  const { at, afterMs } = disturbed!
  const leads = next().events.find(
    ({ event, peerId, time }) => event === 'leader' && peerId === next().id && Date.parse(time) >= at
  )
  // A hand-off that happens after the end of the job must not count.
  const handed = leads === undefined ? Number.POSITIVE_INFINITY : Date.parse(leads.time)
  const doneAtHandOff = ends.filter(end => end < afterMs + handed - at).length
  if (doneAtHandOff === HAND_OFF_JOB.n) throw new Error('the job had ended before the hand-off')
  return { right, took, doneAtHandOff, again: againIn(executions, handed, new Set()) }
}
