/** Starts the clusters that the rows measure: real peers of one slot on loopback. This process is the client. */
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Client } from '../../src/api/types.ts'
import { type PeerProcess, ProcessCluster, root } from '../../test/cluster/processes.ts'
import { using } from '../membership/resources.ts'

/** The time between the forming of a cluster and the first fault, in ms. By then every peer has dialled back every other peer. */
const STANDS_MS = 1_000
/** The number of peers of a cluster in which peers die or leave. */
export const PEERS = 4
/** The time within which a peer must end after SIGTERM, in ms. */
const END_LIMIT = 20_000

/** The built package, which a user's program imports. The benchmark measures this package instead of the sources that are bundled with the benchmark. */
const { connect } = (await import(pathToFileURL(`${root}/dist/index.js`).href)) as typeof import('../../src/index.ts')

export interface PeerInit {
  args?: string[]
  env?: NodeJS.ProcessEnv
}

/**
 * Runs `use` with a settled cluster of these peers. The leader is the peer with the highest PeerId or, with `firstLeads`, the first peer, whose
 * arguments must give it the highest rank. A signal to the benchmark also ends a cluster that is still starting.
 */
export async function withCluster<T>(
  peers: readonly PeerInit[],
  use: (cluster: ProcessCluster) => Promise<T>,
  { firstLeads = false } = {}
): Promise<T> {
  return await using(ProcessCluster.create(), async cluster => {
    for (const [i, { args, env }] of peers.entries()) {
      const peer = cluster.join(args, { env })
      if (i === 0) await peer.ready()
    }
    await stands(cluster, firstLeads ? cluster.peers[0] : undefined)
    return await use(cluster)
  })
}

export function alike(count: number): PeerInit[] {
  return Array.from({ length: count }, () => ({}))
}

/** Waits until all peers have joined and agree on the leader. */
export async function stands(cluster: ProcessCluster, leader?: PeerProcess): Promise<void> {
  await Promise.all(cluster.live.map(peer => peer.ready()))
  await cluster.settled(leader)
  await delay(STANDS_MS)
}

/** Starts peers until the cluster has `count` live peers. */
export async function fill(cluster: ProcessCluster, count: number): Promise<void> {
  while (cluster.live.length < count) cluster.join()
  await stands(cluster)
}

/** Connects a client in this process. The client attaches to the first of these peers that it finds within `wait` ms. */
export function clientOf(
  cluster: ProcessCluster,
  { peers = cluster.live, wait }: { peers?: readonly PeerProcess[]; wait?: number } = {}
): Promise<Client> {
  const { P2P_WORKER_KEY: key, P2P_WORKER_CLUSTER: name } = cluster.env
  const bootstrap = peers.flatMap(peer => peer.addresses.slice(0, 1))
  return connect({ cluster: name, key, mdns: false, bootstrap, wait })
}

/** Makes a peer leave with SIGTERM, as its user would. Resolves when the process has ended. */
export async function leaves(peer: PeerProcess): Promise<void> {
  peer.child.kill('SIGTERM')
  await within(END_LIMIT, 'a peer that leaves is gone', peer.exited)
}

/** Resolves as `promise` does, or rejects after `limitMs` milliseconds. */
export async function within<T>(limitMs: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limitMs} ms: ${what}`)), limitMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
