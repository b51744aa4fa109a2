/** Measures how soon the remaining peers name the next leader after a fault of the current leader. */
import { setTimeout as delay } from 'node:timers/promises'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import type { StrategyName } from '../../src/election/core/strategies/names.ts'
import { isStoreAddress, type StoreAddress } from '../../src/election/stores/stores.ts'
import { DataDir } from '../../src/persistence/data-dir.ts'
import { type PeerProcess, ProcessCluster } from '../../test/cluster/processes.ts'
import type { Hosts } from '../../test/faults/hosts.ts'

/** The time between the forming of a cluster and the fault, in ms. By then every peer has dialled back every other peer. */
const STANDS_MS = 2_000
/** The time, in ms, within which all peers must name the next leader. */
const LIMIT = 60_000

export interface ClusterInit {
  count: number
  /** Whether the peers are voters. */
  voters: boolean
  /** Default `bully`. */
  strategy?: StrategyName | StoreAddress
  /** More flags of each peer. */
  flags?: readonly string[]
  /** More environment variables of each peer. */
  env?: NodeJS.ProcessEnv
  /** The hosts of the peers, one host for each peer. Without `hosts`, all peers run on loopback. */
  hosts?: Hosts
}

/** Starts a cluster, and waits until all peers follow one leader. */
export async function standingCluster({
  count,
  voters,
  strategy,
  flags = [],
  env,
  hosts
}: ClusterInit): Promise<ProcessCluster> {
  const cluster = await ProcessCluster.create({ wrap: hosts?.wrap(0), strategy, env })
  try {
    const folders = Array.from({ length: count }, (_, i) => `${cluster.home}/voter-${i}`)
    const ids = voters ? await Promise.all(folders.map(folder => identity(folder))) : []
    for (const [i, folder] of folders.entries()) {
      const vote = voters ? ['--data-dir', folder, '--voters', ids.join(',')] : []
      const listen = hosts === undefined ? [] : ['--listen', `/ip4/${hosts.address(i)}/tcp/4001`]
      const place = hosts === undefined ? {} : { wrap: hosts.wrap(i) }
      await cluster.join(['--profile', 'lan', ...listen, ...vote, ...flags], place).ready()
    }
    // Under a store any peer may lead.
    if (strategy === undefined || !isStoreAddress(strategy)) await cluster.settled()
    await cluster.agreed()
    await delay(STANDS_MS)
    return cluster
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

async function identity(folder: string): Promise<string> {
  const dataDir = await DataDir.open({ folder, cluster: { name: 'test', id: undefined } })
  await dataDir.close()
  return peerIdFromPrivateKey(dataDir.privateKey).toString()
}

/** Applies a fault to the leader, and resolves to the time until all other peers name the next leader, in ms. */
export async function untilNext(cluster: ProcessCluster, end: (leader: PeerProcess) => void): Promise<number> {
  const leader = await cluster.agreed()
  const others = cluster.live.filter(peer => peer !== leader)
  const began = performance.now()
  end(leader)
  const named = others.map(async peer => {
    const find = (): number | undefined =>
      peer.events.find(
        ({ event, at, peerId }) => event === 'leader' && at >= began && peerId !== null && peerId !== leader.id
      )?.at
    await peer.until('the next leader', () => find() !== undefined, LIMIT)
    return find()!
  })
  return Math.max(...(await Promise.all(named))) - began
}

/** Makes the leader leave. Resolves to the longest time, in ms, during which any other peer had no leader. */
export async function gapOfLeave(cluster: ProcessCluster): Promise<number> {
  const [leader, ...others] = cluster.byRank()
  const began = performance.now()
  await untilNext(cluster, () => leader!.child.kill('SIGTERM'))
  const gaps = others.map(({ events }) => {
    const changes = events.filter(({ event, at }) => event === 'leader' && at >= began)
    const lost = changes[0]!.at
    return changes.find(({ peerId }) => peerId !== null && peerId !== leader!.id)!.at - lost
  })
  return Math.max(...gaps)
}
