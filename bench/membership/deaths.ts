/** Measures how soon all other members declare a crashed or silent member `dead`. */
import type { ProcessCluster } from '../../test/cluster/processes.ts'
import { Hosts } from '../../test/faults/hosts.ts'
import { crashFloor } from '../floor.ts'
import type { SerfCluster } from '../serf.ts'
import { peersOnHosts, peersOnLoopback, saysOf, serfOnHosts, serfOnLoopback } from './clusters.ts'
import { using } from './resources.ts'

const PEERS = 5
/** The time within which a member must be declared dead, in ms. */
const LIMIT = 60_000

/** The times in ms, one for each run. */
export interface Deaths {
  ours: number[]
  serf: number[]
  floor: number[]
}

export interface Runs {
  ours: number
  /** The number of Serf runs; 0 if Serf is not installed. */
  serf: number
}

/** Kills one of five processes on loopback with `kill -9`. The victims rotate by rank, so the leader dies in every fifth run. */
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

/** Cuts one of five hosts off in both directions. */
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
