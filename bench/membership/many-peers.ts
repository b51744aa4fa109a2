/** Clusters of so many peers that two cores need minutes to start them. */
import type { PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'

/** So many processes start at a time: two cores have enough to do with that. */
const TOGETHER = 5
/** How long all may take to be there, in ms: fifty starts of Node and 1,225 encrypted links are a minute's work for two cores. */
const START_LIMIT = 300_000

/** Starts peers that know the first one's address; resolves when all see all. */
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
