/** Starts large clusters. On two cores the start of such a cluster takes minutes. */
import type { PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'

/** The number of processes that start at the same time, which keeps two cores busy. */
const TOGETHER = 5
/** The time limit of the start, in ms. On two cores, fifty starts of Node and 1,225 encrypted links take a minute. */
const START_LIMIT = 300_000

/** Starts peers that know the address of the first peer, and resolves when all peers see each other. */
export async function joinMany(cluster: ProcessCluster, count: number, { mdns = false } = {}): Promise<void> {
  const first = cluster.join([], { mdns })
  await isReady(first)
  const bootstrap = ['--bootstrap', first.addresses[0]!]
  while (cluster.peers.length < count) {
    const before = cluster.peers.length
    for (let i = before; i < Math.min(count, before + TOGETHER); i++) cluster.join(mdns ? bootstrap : [], { mdns })
    await Promise.all(cluster.peers.slice(before).map(isReady))
  }
  await Promise.all(cluster.peers.map(peer => seesAll(peer, count - 1)))
}

function isReady(peer: PeerProcess): Promise<void> {
  return peer.until('ready', events => events.some(({ event }) => event === 'ready'), START_LIMIT)
}

function seesAll(peer: PeerProcess, others: number): Promise<void> {
  const alive = (): boolean => [...peer.states().values()].filter(state => state === 'alive').length >= others
  return peer.until(`${others} others alive`, alive, START_LIMIT)
}
