import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseClusterKey } from '../../src/network/cluster-key.ts'
import { RATES } from '../../src/network/rate-limit.ts'
import { inventedMembers, Liar } from '../membership/liar.ts'
import { ProcessCluster } from './processes.ts'

/** Long enough to use the burst up several times over, were there no limit to it. */
const FLOOD_MS = 4_000
/** Far more than a peer needs, and far less than what a flood of this length would fill if it were kept. */
const MAX_RSS_MB = 600

/** Of a process, in MB. */
function memory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
}

describe('three peers and a member that floods one of them', () => {
  let cluster: ProcessCluster
  let liar: Liar
  let answers = 0

  beforeAll(async () => {
    cluster = await ProcessCluster.start(3)
    await cluster.settled()
    liar = await Liar.start({
      cluster: 'test',
      key: parseClusterKey(cluster.env.P2P_WORKER_KEY!),
      bootstrap: cluster.peers.flatMap(peer => peer.addresses.slice(0, 1)),
      onMessage: (message, channel) => {
        if (message.type === 'ack') answers += 1
        if (message.type === 'ping') void channel.send({ type: 'ack', seq: message.seq }).catch(() => {})
      }
    })
    await Promise.all(cluster.peers.map(peer => peer.sees(liar.id, 'alive')))
  }, 60_000)

  afterAll(async () => {
    await liar?.stop()
    await cluster?.stop()
  })

  const flood = async (send: () => Promise<void> | void): Promise<number> => {
    let sent = 0
    for (const end = performance.now() + FLOOD_MS; performance.now() < end; sent += 100) {
      await Promise.all(Array.from({ length: 100 }, async () => send()).map(each => each.catch(() => {})))
      await new Promise(resolve => setImmediate(resolve))
    }
    return sent
  }
  /** Whom of each other they ever held so. */
  const held = (state: string): string[] =>
    cluster.peers.flatMap(peer =>
      peer.events.flatMap(event =>
        event.state === state && cluster.peers.some(({ id }) => id === event.peerId) ? [event.peerId!] : []
      )
    )

  it('answer no more pings than the rate allows, whatever the number asked', async () => {
    const [victim] = cluster.peers
    const before = performance.now()
    const sent = await flood(() => liar.send(victim!.id, { type: 'ping', seq: 1, accusations: [] }))
    const { burst, perSecond } = RATES.messages
    const allowed = burst + (perSecond * (performance.now() - before)) / 1_000
    expect(answers).toBeLessThanOrEqual(allowed)
    expect(answers).toBeGreaterThan(Math.min(sent, burst) / 10)
    expect(held('dead')).toEqual([])
  }, 60_000)

  it('go on with each other under push-pulls, invented members and gossip at full speed', async () => {
    const [victim] = cluster.peers
    const [leader] = cluster.byRank()
    const epochs = cluster.peers.map(peer => peer.epoch)
    const invented = await inventedMembers(1_000, liar.network.clusterId)
    await flood(() => liar.send(victim!.id, liar.sync(invented.splice(0, 100), false)))
    await flood(() => liar.gossip(liar.self().envelope))
    expect(held('dead')).toEqual([])
    for (const peer of cluster.peers) expect(memory(peer.child.pid!)).toBeLessThan(MAX_RSS_MB)
    expect(cluster.peers.map(peer => peer.leader)).toEqual(cluster.peers.map(() => leader!.id))
    expect(cluster.peers.map(peer => peer.epoch)).toEqual(epochs)
    const { code } = await cluster.run(['members'])
    expect(code).toBe(0)
  }, 60_000)
})
