/** Starts the measured clusters of p2p-worker and Serf, on loopback or with one peer on each host. */
import { setTimeout as delay } from 'node:timers/promises'
import { type PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'
import type { Hosts } from '../../test/faults/hosts.ts'
import { loopbackPlaces, SerfCluster, type SerfPlace } from '../serf.ts'

/**
 * The time between the forming of a cluster and the fault, in ms. By then every peer has dialled back every other peer,
 * and all probes and suspicions from the start have ended.
 */
const STANDS_MS = 2_000
const PROFILE = ['--profile', 'lan']

export async function peersOnLoopback(count: number): Promise<ProcessCluster> {
  return await standing(await ProcessCluster.start(count, PROFILE))
}

/** Starts one peer on each host. The addresses of the earlier peers are the bootstrap addresses of each peer. */
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

/** Resolves to the time (performance.now) at which the peer first reports the member in this state after `since`. */
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

/** Returns all events after `since` in which a peer reports any member in this state. */
export function said(peers: PeerProcess[], state: string, since: number): { by: string; of: string; at: number }[] {
  return peers.flatMap(peer =>
    peer.events
      .filter(({ event, at, state: its }) => event === 'member' && its === state && at >= since)
      .map(({ peerId, at }) => ({ by: peer.id, of: peerId!, at }))
  )
}
