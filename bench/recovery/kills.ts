/** Kills random processes while users submit detached jobs and ask for their results by id. */
import { setTimeout as delay } from 'node:timers/promises'
import type { PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'
import { using } from '../membership/resources.ts'
import { alike, withCluster } from './clusters.ts'
import { DetachedJobs } from './detached-jobs.ts'

/** The number of peers to which the cluster is refilled after kills. */
const PEERS = 6
/** The smallest number of peers with which a peer may be killed, so that a peer that stores the jobs survives. */
const FEWEST = 4
/** The shortest time, in ms, for which all peers must agree on a leader before a kill. A random time of up to the same length is added. */
const CALM_MS = 300
/** The time within which the peers must agree on a leader, in ms. */
const AGREE_LIMIT = 60_000
/** The number of concurrent jobs. */
const JOBS = 2
const TELL_EVERY = 10

const KINDS = ['leader', 'worker', 'client', 'two'] as const
type Kind = (typeof KINDS)[number]

export interface Kills {
  killed: Record<Kind, number>
  acknowledged: number
  right: number
  /** The wrong results of acknowledged jobs. */
  wrong: string[]
  /** The reasons of submissions that were not acknowledged. */
  refused: string[]
  /** The answers without a result. After such an answer the user asked again. */
  askedAgain: string[]
}

export async function kills(count: number, random: () => number, tell: (kills: Kills) => void): Promise<Kills> {
  return await withCluster(alike(PEERS), cluster =>
    using(Promise.resolve(new DetachedJobs(cluster)), jobs => killSome(cluster, jobs, count, random, tell))
  )
}

async function killSome(
  cluster: ProcessCluster,
  jobs: DetachedJobs,
  count: number,
  random: () => number,
  tell: (kills: Kills) => void
): Promise<Kills> {
  const killed: Record<Kind, number> = { leader: 0, worker: 0, client: 0, two: 0 }
  const all = (): number => killed.leader + killed.worker + killed.client + 2 * killed.two
  const users = Array.from({ length: JOBS }, () => jobs.keepBusy())
  for (let next = TELL_EVERY; all() < count; ) {
    const kind = KINDS[Math.floor(random() * KINDS.length)]!
    await calm(cluster, random() * CALM_MS)
    if (!kill(kind, cluster, jobs, random)) continue
    killed[kind]++
    while (cluster.live.length < PEERS) cluster.join()
    if (all() < next) continue
    tell({ killed, ...jobs.found })
    next += TELL_EVERY
  }
  jobs.enough()
  await Promise.all(users)
  return { killed, ...jobs.found }
}

/**
 * Resolves when all peers have agreed on a leader for a while. Peers that are still starting count as well: if all bootstrap peers of a
 * starting peer were killed, this peer would stay alone for ever.
 */
async function calm(cluster: ProcessCluster, more: number): Promise<void> {
  let since = performance.now()
  let leader: string | undefined
  for (const end = since + AGREE_LIMIT; performance.now() < end; await delay(10)) {
    const now = cluster.live.every(isReady) ? agreedLeader(cluster.live) : undefined
    if (now === undefined || now !== leader) since = performance.now()
    leader = now
    if (performance.now() - since >= CALM_MS + more) return
  }
  throw new Error(`the peers have not agreed on a leader in ${AGREE_LIMIT} ms`)
}

function isReady({ events }: PeerProcess): boolean {
  return events.some(({ event }) => event === 'ready')
}

function agreedLeader(peers: readonly PeerProcess[]): string | undefined {
  const [leader, ...others] = new Set(peers.map(peer => peer.leader))
  const isThere = others.length === 0 && peers.some(({ id }) => id === leader)
  return isThere && peers.length >= FEWEST ? leader! : undefined
}

/** Kills a random process of this kind. Returns false if no such process runs. */
function kill(kind: Kind, cluster: ProcessCluster, jobs: DetachedJobs, random: () => number): boolean {
  const peers = cluster.live.filter(isReady)
  const leader = peers.find(({ id }) => id === peers[0]!.leader)!
  const others = peers.filter(peer => peer !== leader).sort((a, b) => (a.id < b.id ? 1 : -1))
  const one = <T>(of: T[]): T => of[Math.floor(random() * of.length)]!
  switch (kind) {
    case 'leader':
      return leader.child.kill('SIGKILL')
    case 'worker':
      return one(others).child.kill('SIGKILL')
    case 'client':
      return jobs.killClient(random)
    case 'two': {
      // Three peers store the jobs: the leader and the two next-ranked peers. One of these three peers must survive.
      const keepers = [leader, ...others.slice(0, 2)]
      const spared = one(keepers)
      for (const { child } of keepers.filter(keeper => keeper !== spared)) child.kill('SIGKILL')
      return true
    }
  }
}
