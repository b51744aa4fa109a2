/** Counts false `dead` verdicts about live members, under processor load and under packet loss. */
import { setTimeout as delay } from 'node:timers/promises'
import type { ProcessCluster } from '../../test/cluster/processes.ts'
import { Hosts } from '../../test/faults/hosts.ts'
import type { SerfCluster } from '../serf.ts'
import { BusyProcesses } from './busy-processes.ts'
import { peersOnHosts, peersOnLoopback, said, serfOnHosts, serfOnLoopback } from './clusters.ts'
import { using } from './resources.ts'

const PEERS = 8
const BUSY = 8
const LOSS_PERCENT = 20

/** The numbers of verdicts, summed over all observers. */
export interface Verdicts {
  /** The `dead` verdicts (Serf: `failed`) about live members. */
  dead: number
  /** The number of suspicions of live members. For Serf, which reports no suspicions: the number of failed probes. */
  suspect: number
}

export interface FalseVerdicts {
  ours: Verdicts
  /** The verdicts of Serf agents that ran at the same time under the same fault; undefined if Serf is not installed. */
  serf: Verdicts | undefined
}

export interface WatchInit {
  /** The duration of the fault, in ms. */
  during: number
  serf: boolean
  tell: (what: string) => void
}

/** Runs eight peers beside eight busy processes on this machine. */
export async function underLoad(init: WatchInit): Promise<FalseVerdicts> {
  return await using(peersOnLoopback(PEERS), cluster =>
    beside(init.serf ? serfOnLoopback(PEERS) : undefined, agents =>
      using(Promise.resolve(new BusyProcesses(BUSY)), () => watch('load', cluster, agents, init))
    )
  )
}

/** Runs eight hosts on a network that loses a fifth of the packets. */
export async function underLoss(init: WatchInit): Promise<FalseVerdicts> {
  return await using(Hosts.create(PEERS), hosts =>
    using(peersOnHosts(hosts, PEERS), cluster =>
      beside(init.serf ? serfOnHosts(hosts, PEERS) : undefined, async agents => {
        hosts.lose(LOSS_PERCENT)
        return await watch('loss', cluster, agents, init)
      })
    )
  )
}

async function beside<T>(
  start: Promise<SerfCluster> | undefined,
  use: (cluster: SerfCluster | undefined) => Promise<T>
): Promise<T> {
  return start === undefined ? await use(undefined) : await using(start, use)
}

async function watch(
  fault: string,
  cluster: ProcessCluster,
  agents: SerfCluster | undefined,
  { during, tell }: WatchInit
): Promise<FalseVerdicts> {
  const since = performance.now()
  const [failedBefore, suspectBefore] = [serfCount(agents, 'failed'), serfCount(agents, 'suspect')]
  const verdicts = (): FalseVerdicts => ({
    ours: { dead: said(cluster.peers, 'dead', since).length, suspect: said(cluster.peers, 'suspect', since).length },
    serf: agents && {
      dead: serfCount(agents, 'failed') - failedBefore,
      suspect: serfCount(agents, 'suspect') - suspectBefore
    }
  })
  for (let left = during; left > 0; left -= 60_000) {
    await delay(Math.min(left, 60_000))
    const { ours, serf } = verdicts()
    const theirs = serf === undefined ? '' : `; Serf ${serf.dead} failed, ${serf.suspect} suspect`
    tell(
      `${fault}, after ${((performance.now() - since) / 60_000).toFixed(0)} min: ${ours.dead} dead, ${ours.suspect} suspect${theirs}`
    )
  }
  // If a peer had ended, it would report nothing, and the `dead` verdicts of the other peers about it would be right.
  if (cluster.live.length !== PEERS)
    throw new Error(`a peer ended: ${cluster.peers.map(({ stderr }) => stderr).join('\n')}`)
  return verdicts()
}

function serfCount(cluster: SerfCluster | undefined, event: 'failed' | 'suspect'): number {
  return (cluster?.agents ?? []).reduce((sum, agent) => sum + agent.count(event), 0)
}
