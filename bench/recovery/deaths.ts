/** Kills peers in the middle of a job. */
import type { PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'
import { fill, PEERS } from './clusters.ts'
import { type Again, againIn } from './executions.ts'
import { excess, trial } from './trials.ts'

const JOB = { n: 200, ms: 50 }

export interface Death {
  right: boolean
  again: Again
  excessMs: number
  doneAtDeath: number
}

/**
 * Kills peers when half of the job is done. `victimsOf` selects the victims from all peers, which it gets by rank. Before each disturbed job, an
 * undisturbed job runs on the same peers.
 */
export async function deaths(
  cluster: ProcessCluster,
  runs: number,
  victimsOf: (byRank: PeerProcess[]) => PeerProcess[],
  tell: (run: number, death: Death) => void
): Promise<Death[]> {
  const found: Death[] = []
  for (let run = 0; run < runs; run++) {
    await fill(cluster, PEERS)
    found.push(await death(cluster, victimsOf))
    tell(run + 1, found.at(-1)!)
  }
  return found
}

async function death(cluster: ProcessCluster, victimsOf: (byRank: PeerProcess[]) => PeerProcess[]): Promise<Death> {
  const undisturbed = await trial(cluster, { job: JOB })
  const victims = victimsOf(cluster.byRank())
  const killed = await trial(cluster, {
    job: JOB,
    middle: {
      chunks: JOB.n / 2,
      act: () => {
        for (const { child } of victims) child.kill('SIGKILL')
      }
    }
  })
  const dead = new Set(victims.map(({ child }) => child.pid!))
  return {
    right: killed.right && undisturbed.right,
    again: againIn(killed.executions, killed.disturbed!.at, dead),
    excessMs: excess(killed, undisturbed, (PEERS - victims.length) / PEERS),
    doneAtDeath: killed.disturbed!.done
  }
}
