import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parseClusterKey } from '../../src/network/cluster-key.ts'
import { RATES, type Rate } from '../../src/network/guard/rates.ts'
import { inventedMembers, Liar } from '../membership/liar.ts'
import { FLOODS, Flooder } from './flooder.ts'
import { type PeerProcess, ProcessCluster } from './processes.ts'

/** The shortest duration of a flood, in ms. */
const FLOOD_MS = 4_000
/** A flood is as many times what the rate allows. What a busy machine cannot receive in time would arrive after the flood. */
const EXCESS = 2
/** The most messages to the victim that may be unfinished at the same time. */
const AT_ONCE = 500
/** The most memory that the victim may use, in MB. A peer needs far less, and a peer that stored all messages of the flood would use far more. */
const MAX_RSS_MB = 600

/** The memory of a process, in MB. */
function memory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
}

interface Flood {
  begun: number
  sent: number
  allowed: number
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
  })

  afterAll(async () => {
    await liar?.stop()
    await cluster?.stop()
  })

  /** Sends messages, each of which counts as `size`. Resolves with the numbers of messages that were begun and sent, and that the rate allows. */
  const flood = async (send: () => Promise<void> | void, rate: Rate, size = 1): Promise<Flood> => {
    const began = performance.now()
    const flood = { begun: 0, sent: 0, allowed: 0 }
    let underWay = 0
    const one = async (): Promise<void> => {
      flood.begun += 1
      underWay += 1
      try {
        await send()
        flood.sent += 1
      } catch {
        // The victim should close the flooder's connections, and then the send fails.
      } finally {
        underWay -= 1
      }
    }
    const allowed = (ms: number): number => (rate.burst + (rate.perSecond * ms) / 1_000) / size
    const perMs = (EXCESS * allowed(FLOOD_MS)) / FLOOD_MS
    for (let passed = 0; passed < FLOOD_MS || flood.begun <= flood.allowed; ) {
      while (underWay < AT_ONCE && flood.begun < passed * perMs) void one()
      await new Promise(resolve => setImmediate(resolve))
      passed = performance.now() - began
      flood.allowed = allowed(passed)
    }
    return flood
  }
  /** Returns the honest peers that any peer has reported in this state. */
  const held = (state: string): string[] =>
    cluster.peers.flatMap(peer =>
      peer.events.flatMap(event =>
        event.state === state && cluster.peers.some(({ id }) => id === event.peerId) ? [event.peerId!] : []
      )
    )

  it('a flooded peer answers no more pings than the rate allows, however many pings arrive', async () => {
    const [victim] = cluster.peers
    const ping = (): Promise<void> => liar.send(victim!.id, { type: 'ping', seq: 1, accusations: [] })
    // The victim reads no more than it answers, so that many of them are still on their way.
    const { begun, allowed } = await flood(ping, RATES.swim)
    expect(begun).toBeGreaterThan(allowed)
    expect(answers).toBeLessThanOrEqual(allowed)
    expect(answers).toBeGreaterThan(RATES.swim.burst / 10)
    expect(held('dead')).toEqual([])
  })

  it('peers keep their leader, and declare no honest peer dead, under a flood of push-pulls, invented members and gossip', async () => {
    const [victim] = cluster.peers
    const [leader] = cluster.byRank()
    const epochs = cluster.peers.map(peer => peer.epoch)
    const invented = await inventedMembers(1_000, liar.network.clusterId)
    const size = 200
    const batches = Array.from({ length: 5 }, (_, i) => liar.sync(invented.slice(i * size, (i + 1) * size), false))
    let next = 0
    await flood(() => liar.send(victim!.id, batches[next++ % batches.length]!), RATES.records, size)
    const gossip = await flood(() => liar.gossip(liar.self().envelope), RATES.gossip)
    expect(gossip.sent).toBeGreaterThan(gossip.allowed)
    expect(held('dead')).toEqual([])
    for (const peer of cluster.peers) expect(memory(peer.child.pid!)).toBeLessThan(MAX_RSS_MB)
    expect(cluster.peers.map(peer => peer.leader)).toEqual(cluster.peers.map(() => leader!.id))
    expect(cluster.peers.map(peer => peer.epoch)).toEqual(epochs)
    const { code, stderr } = await cluster.run(['members'])
    expect(code, stderr).toBe(0)
  })

  it('peers compute the exact result of a job while a member floods their leader with every kind of message', async () => {
    const [leader] = cluster.byRank() as [PeerProcess]
    const epochs = cluster.peers.map(peer => peer.epoch)
    const key = parseClusterKey(cluster.env.P2P_WORKER_KEY!)
    const flooder = await Flooder.start(
      'test',
      key,
      cluster.peers.flatMap(peer => peer.addresses.slice(0, 1))
    )
    const [all, one] = [new AbortController(), new AbortController()]
    // Many times what the rates allow, and less than what keeps two processors busy with nothing else.
    const perSecond = 2_000
    const floods = FLOODS.map(kind => flooder.flood(kind, leader.id, { perSecond, atOnce: 1_000, signal: all.signal }))
    try {
      await Promise.all(cluster.peers.map(peer => peer.sees(flooder.id, 'alive')))
      for (let i = 0; i < 3; i++) {
        const args = ['run', 'examples/nas-ep.ts', '--input', '{"class":"S"}', '--json']
        const { code, stdout, stderr } = await cluster.run(args)
        expect(code, stderr).toBe(0)
        expect(JSON.parse(stdout).result).toMatchObject({ verified: true })
      }
      all.abort()
      await Promise.all(floods)
      // All kinds together can keep a slow flooder below each rate. A flood of one kind always exceeds it.
      floods.push(flooder.flood('overview', leader.id, { perSecond, signal: one.signal }))
      // The only lines that the flood may add to the log report messages above the rate.
      const isRefused = (line: string): boolean => line.includes(flooder.id) && line.includes('"kind":"rate"')
      await vi.waitUntil(() => leader.stderr.split('\n').some(isRefused), { timeout: 60_000 })
    } finally {
      all.abort()
      one.abort()
      await Promise.all(floods)
      await flooder.stop()
    }
    expect(held('dead')).toEqual([])
    expect(cluster.peers.map(peer => peer.leader)).toEqual(cluster.peers.map(() => leader.id))
    expect(cluster.peers.map(peer => peer.epoch)).toEqual(epochs)
    for (const peer of cluster.peers) expect(memory(peer.child.pid!)).toBeLessThan(MAX_RSS_MB)
  })
})
