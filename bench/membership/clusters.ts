/** The clusters that the rows measure: on loopback, or one peer a host, with Serf beside where it is installed. */
import { setTimeout as delay } from 'node:timers/promises'
import { type PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'
import type { Hosts } from '../../test/faults/hosts.ts'
import { loopbackPlaces, SerfCluster, type SerfPlace } from '../serf.ts'

/**
 * How long a cluster stands before anything is done to it, in ms: each peer has then dialled each other one back, and the
 * clocks of probes and suspicions have nothing left from the start.
 */
const STANDS_MS = 2_000
const PROFILE = ['--profile', 'lan']

export async function peersOnLoopback(count: number): Promise<ProcessCluster> {
  return await standing(await ProcessCluster.start(count, PROFILE))
}

/** One peer a host, each of which gets the addresses of those before as its bootstrap addresses. */
export async function peersOnHosts(hosts: Hosts, count: number): Promise<ProcessCluster> {
  const cluster = await ProcessCluster.create()
  try {
    for (let host = 0; host < count; host++) {
      const listen = ['--listen', `/ip4/${hosts.address(host)}/tcp/4001`]
      await cluster.join([...listen, ...PROFILE], { wrap: hosts.wrap(host) }).ready()
    }
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return await standing(cluster)
}

async function standing(cluster: ProcessCluster): Promise<ProcessCluster> {
  try {
    await cluster.settled()
    await delay(STANDS_MS)
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

export async function serfOnLoopback(count: number): Promise<SerfCluster> {
  return await standingSerf(loopbackPlaces(count))
}

export async function serfOnHosts(hosts: Hosts, count: number): Promise<SerfCluster> {
  const places = Array.from({ length: count }, (_, i) => ({
    address: hosts.address(i),
    port: 7_946,
    rpcPort: 7_373,
    wrap: hosts.wrap(i)
  }))
  return await standingSerf(places)
}

async function standingSerf(places: SerfPlace[]): Promise<SerfCluster> {
  const cluster = await SerfCluster.start(places)
  await delay(STANDS_MS)
  return cluster
}

/** Resolves with when the peer said that the member is in this state, reckoned from `since` (performance.now). */
export async function saysOf(
  peer: PeerProcess,
  id: string,
  state: string,
  since: number,
  limit: number
): Promise<number> {
  const find = (): number | undefined =>
    peer.events.find(
      ({ event, at, peerId, state: said }) => event === 'member' && at >= since && peerId === id && said === state
    )?.at
  await peer.until(`${id} ${state}`, () => find() !== undefined, limit)
  return find()!
}

/** What the peers said since then: that somebody is in this state. */
export function said(peers: PeerProcess[], state: string, since: number): { by: string; of: string; at: number }[] {
  return peers.flatMap(peer =>
    peer.events
      .filter(({ event, at, state: its }) => event === 'member' && its === state && at >= since)
      .map(({ peerId, at }) => ({ by: peer.id, of: peerId!, at }))
  )
}
