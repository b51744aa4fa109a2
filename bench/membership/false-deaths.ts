/** Whether live members are called dead: by peers that get no processor time, or over a network that loses packets. */
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

/** Summed over all observers. */
export interface Verdicts {
  /** Verdicts `dead` (Serf: `failed`) about members that live, each once for each observer. */
  dead: number
  /** Times that an observer had a live member as a suspect. Of Serf: times that one of its own probes found one silent. */
  suspect: number
}

export interface FalseVerdicts {
  ours: Verdicts
  /** Of agents that ran at the same time under the same fault; undefined where Serf is missing. */
  serf: Verdicts | undefined
}

export interface WatchInit {
  /** For how long, in ms. */
  during: number
  serf: boolean
  tell: (what: string) => void
}

/** Eight peers, and as many processes that never rest, on the cores of this machine. */
export async function underLoad(init: WatchInit): Promise<FalseVerdicts> {
  return await using(peersOnLoopback(PEERS), cluster =>
    beside(init.serf ? serfOnLoopback(PEERS) : undefined, agents =>
      using(Promise.resolve(new BusyProcesses(BUSY)), () => watch('load', cluster, agents, init))
    )
  )
}

/** Eight hosts, each of which loses a fifth of the packets that come to it. */
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
  // A peer that ended would say nothing, and be rightly called dead.
  if (cluster.live.length !== PEERS)
    throw new Error(`a peer ended: ${cluster.peers.map(({ stderr }) => stderr).join('\n')}`)
  return verdicts()
}

function serfCount(cluster: SerfCluster | undefined, event: 'failed' | 'suspect'): number {
  return (cluster?.agents ?? []).reduce((sum, agent) => sum + agent.count(event), 0)
}
