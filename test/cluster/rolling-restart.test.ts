import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster } from './processes.ts'

describe('a rolling restart of five peers', () => {
  let cluster: ProcessCluster | undefined

  afterEach(() => cluster?.stop())

  const hasLeader = (peer: PeerProcess): Promise<void> =>
    peer.until('a leader', () => peer.leader !== null && peer.leader !== undefined)

  /** Restarts each peer, the leader last, and resolves with the leaderships that any peer saw. */
  const restartAll = async (
    leaderOf: (cluster: ProcessCluster) => PeerProcess,
    ...args: string[]
  ): Promise<Set<string>> => {
    cluster = await ProcessCluster.create()
    const { home } = cluster
    const start = async (n: number): Promise<PeerProcess> => {
      const peer = cluster!.join(['--data-dir', join(home, String(n)), ...args])
      await hasLeader(peer)
      return peer
    }
    const numbers = new Map<PeerProcess, number>()
    for (let n = 0; n < 5; n++) numbers.set(await start(n), n)
    const leader = leaderOf(cluster)
    await cluster.settled(leader)
    const before = cluster.peers.map(({ events }) => events.length)
    for (const peer of [...cluster.live.filter(peer => peer !== leader), leader]) {
      const left = await peer.end('SIGTERM')
      expect(left.code).toBe(0)
      const again = await start(numbers.get(peer)!)
      expect(again.id).toBe(peer.id)
      const rest = cluster.live
      await Promise.all(rest.flatMap(one => rest.map(other => one === other || one.sees(other.id, 'alive'))))
      await Promise.all(rest.map(hasLeader))
    }
    const since = cluster.peers.flatMap(({ events }, i) => events.slice(before[i] ?? 0))
    const seen = since.flatMap(({ event, peerId, epoch }) =>
      event === 'leader' && peerId !== null ? [`${peerId} @${epoch}`] : []
    )
    return new Set(seen)
  }

  it('during a rolling restart the leadership changes at most twice: when the leader leaves and when the leader returns', async () => {
    const seen = await restartAll(cluster => cluster.byRank()[0]!)
    const leader = cluster!.byRank()[0]!
    await cluster!.settled()
    // At most three leaderships: the first one, the one of the heir, and the second one of the first leader.
    expect(seen.size).toBeLessThanOrEqual(3)
    expect(leader.leader).toBe(leader.id)
  })

  it('a rolling restart changes the leader once with --no-preempt, when the leader leaves', async () => {
    const seen = await restartAll(cluster => cluster.peers[0]!, '--no-preempt')
    expect(seen.size).toBe(2)
  })
})
