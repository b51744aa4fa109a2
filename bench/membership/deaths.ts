/** How soon a member that is gone is `dead` to all others. */
import type { ProcessCluster } from '../../test/cluster/processes.ts'
import { Hosts } from '../../test/faults/hosts.ts'
import { crashFloor } from '../floor.ts'
import type { SerfCluster } from '../serf.ts'
import { peersOnHosts, peersOnLoopback, saysOf, serfOnHosts, serfOnLoopback } from './clusters.ts'
import { using } from './resources.ts'

const PEERS = 5
/** A member that is not dead after so long, in ms, never will be. */
const LIMIT = 60_000

/** In ms, one figure a run. */
export interface Deaths {
  ours: number[]
  serf: number[]
  floor: number[]
}

export interface Runs {
  ours: number
  /** 0 where Serf is missing. */
  serf: number
}

/** `kill -9` of one of five processes on loopback. Who dies goes by rank: the leader, too, each fifth time. */
export async function measureKills({ ours, serf }: Runs, tell: (what: string) => void): Promise<Deaths> {
  const deaths: Deaths = { ours: [], serf: [], floor: [] }
  for (let run = 0; run < Math.max(ours, serf); run++) {
    if (run < ours) {
      const kill = (cluster: ProcessCluster): Promise<number> =>
        untilDead(cluster, run, victim => cluster.byRank()[victim]!.child.kill('SIGKILL'))
      deaths.ours.push(await using(peersOnLoopback(PEERS), kill))
      deaths.floor.push(await crashFloor())
    }
    if (run < serf) {
      const kill = (cluster: SerfCluster): Promise<number> =>
        untilFailed(cluster, run, victim => cluster.agents[victim]!.child.kill('SIGKILL'))
      deaths.serf.push(await using(serfOnLoopback(PEERS), kill))
    }
    tell(`kill, run ${run + 1}: ${latest(deaths, run)}`)
  }
  return deaths
}

/** One of five hosts loses every packet, in both directions. */
export async function measureCuts({ ours, serf }: Runs, tell: (what: string) => void): Promise<Deaths> {
  const deaths: Deaths = { ours: [], serf: [], floor: [] }
  for (let run = 0; run < Math.max(ours, serf); run++) {
    if (run < ours) {
      const cut = (hosts: Hosts) => (cluster: ProcessCluster) =>
        untilDead(cluster, run, rank => hosts.cut(cluster.peers.indexOf(cluster.byRank()[rank]!)))
      deaths.ours.push(await using(Hosts.create(PEERS), hosts => using(peersOnHosts(hosts, PEERS), cut(hosts))))
    }
    if (run < serf) {
      const cut = (hosts: Hosts) => (cluster: SerfCluster) => untilFailed(cluster, run, victim => hosts.cut(victim))
      deaths.serf.push(await using(Hosts.create(PEERS), hosts => using(serfOnHosts(hosts, PEERS), cut(hosts))))
    }
    tell(`cut, run ${run + 1}: ${latest(deaths, run)}`)
  }
  return deaths
}

async function untilDead(cluster: ProcessCluster, run: number, end: (rank: number) => void): Promise<number> {
  const peers = cluster.byRank()
  const rank = run % peers.length
  const victim = peers[rank]!
  const began = performance.now()
  end(rank)
  const others = peers.filter(peer => peer !== victim)
  const times = await Promise.all(others.map(peer => saysOf(peer, victim.id, 'dead', began, LIMIT)))
  return Math.max(...times) - began
}

async function untilFailed({ agents }: SerfCluster, run: number, end: (victim: number) => void): Promise<number> {
  const victim = run % agents.length
  const began = performance.now()
  end(victim)
  const others = agents.filter((_, i) => i !== victim)
  const times = await Promise.all(others.map(agent => agent.says('failed', agents[victim]!.name, LIMIT)))
  return Math.max(...times) - began
}

function latest({ ours, serf }: Deaths, run: number): string {
  const show = (ms: number | undefined): string => (ms === undefined ? '-' : `${ms.toFixed(0)} ms`)
  return `${show(ours[run])}, Serf ${show(serf[run])}`
}
