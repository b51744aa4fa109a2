/** The clusters that the rows use: real peers of one slot on loopback, and this process as their client. */
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Client } from '../../src/api/types.ts'
import { type PeerProcess, ProcessCluster, root } from '../../test/cluster/processes.ts'
import { using } from '../membership/resources.ts'

/** How long a cluster stands before anything is done to it, in ms: each peer has then dialled each other one back. */
const STANDS_MS = 1_000
/** Of a cluster whose peers are killed and leave. */
export const PEERS = 4
/** How long it may take until one that was told to end has, in ms. */
const END_LIMIT = 20_000

/** As a program that installed the package has it: what was built, not what is bundled here. */
const { connect } = (await import(pathToFileURL(`${root}/dist/index.js`).href)) as typeof import('../../src/index.ts')

export interface PeerInit {
  args?: string[]
  env?: NodeJS.ProcessEnv
}

/**
 * Uses a cluster of these peers that stands: under the highest by PeerId, or under the first of them where it ranks above by its arguments. An
 * interruption ends it while it starts, too.
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

/** Waits until all peers are there and agree. */
export async function stands(cluster: ProcessCluster, leader?: PeerProcess): Promise<void> {
  await Promise.all(cluster.live.map(peer => peer.ready()))
  await cluster.settled(leader)
  await delay(STANDS_MS)
}

/** Starts peers in place of those that are gone. */
export async function fill(cluster: ProcessCluster, count: number): Promise<void> {
  while (cluster.live.length < count) cluster.join()
  await stands(cluster)
}

/** A client in this process, attached to whichever of these peers it finds first within `wait` ms. */
export function clientOf(
  cluster: ProcessCluster,
  { peers = cluster.live, wait }: { peers?: readonly PeerProcess[]; wait?: number } = {}
): Promise<Client> {
  const { P2P_WORKER_KEY: key, P2P_WORKER_CLUSTER: name } = cluster.env
  const bootstrap = peers.flatMap(peer => peer.addresses.slice(0, 1))
  return connect({ cluster: name, key, mdns: false, bootstrap, wait })
}

/** Ends a peer as its user does: it leaves. Resolves when it is gone. */
export async function leaves(peer: PeerProcess): Promise<void> {
  peer.child.kill('SIGTERM')
  await within(END_LIMIT, 'a peer that leaves is gone', peer.exited)
}

/** What comes in time; rejects when it does not. */
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
