import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeFrame, FrameFlag } from '../../src/network/channel/frame-format.ts'
import { joined, mutateBytes } from '../fuzz/mutate-bytes.ts'
import { Random } from '../fuzz/random.ts'
import { SEED } from '../tier.ts'
import { HostileNode, knock, opening, ringOf } from './hostile-bytes.ts'
import { ProcessCluster } from './processes.ts'

const SOCKETS = 300
const STREAMS = 25
/** The gossip protocols. On these protocols random bytes can count as a flood. */
const GOSSIP = /^\/(?:meshsub|floodsub)\//
const replay = `P2P_WORKER_SEED=${SEED} npx vitest run test/cluster/hostile-bytes.test.ts`

describe(`a live peer, seed ${SEED}`, () => {
  let cluster: ProcessCluster
  const random = new Random(SEED)

  beforeAll(async () => {
    cluster = await ProcessCluster.start(1)
    await cluster.settled()
  })

  afterAll(async () => {
    await cluster?.stop()
  })

  /** Checks that the peer is alive, has logged only refusals and at most `mostShutOut` blocked nodes, and computes the right result. */
  async function expectUnharmed(mostShutOut: number): Promise<void> {
    expect(cluster.live, replay).toHaveLength(1)
    const [victim] = cluster.peers
    const lines = victim!.stderr.split('\n').filter(line => line !== '')
    for (const line of lines)
      expect(JSON.parse(line), replay).toMatchObject(
        line.includes('it is shut out') ? { level: 'warn', ms: 10_000 } : { level: 'warn', kind: expect.any(String) }
      )
    expect(lines.filter(line => line.includes('it is shut out')).length, replay).toBeLessThanOrEqual(mostShutOut)
    const { code, stdout } = await cluster.run(['run', 'test/cluster/tasks/squares.ts', '--input', '{"n":100}'])
    expect([code, stdout.trim()], replay).toEqual([0, '338350'])
  }

  it('a live peer closes every socket whose remote side lacks the key, and continues', async () => {
    const [victim] = cluster.peers
    const port = Number(victim!.addresses[0]!.split('/')[4])
    const ring = ringOf('test', cluster.env.P2P_WORKER_KEY!)
    const openings = Array.from({ length: SOCKETS }, () => opening(ring, random))
    const closed = await Promise.all(openings.map(bytes => knock(port, bytes, new Random(random.below(2 ** 31)))))
    expect(
      closed.filter(isClosed => !isClosed),
      replay
    ).toEqual([])
    await expectUnharmed(0)
  })

  it('a live peer survives arbitrary bytes from a member on every stream', async () => {
    const [victim] = cluster.peers
    const start = () => HostileNode.start('test', cluster.env.P2P_WORKER_KEY!, victim!.addresses[0]!)
    const first = await start()
    const nodes = [first]
    const ended = new Map<string, number>()
    let gossip = 0
    try {
      const protocols = await first.protocols()
      expect(protocols.filter(name => name.includes('/p2p-worker/')).length).toBeGreaterThanOrEqual(7)
      gossip = protocols.filter(protocol => GOSSIP.test(protocol)).length
      // Random bytes can count as a flood of gossip, and the peer blocks a node that floods. So each protocol uses its own node.
      const say = async (protocol: string, random: Random): Promise<void> => {
        const node = await start()
        nodes.push(node)
        for (let i = 0; i < STREAMS; i++) {
          const size = random.pick([0, 1, 10, 300, 5_000, 30_000])
          const frames = Array.from({ length: 1 + random.below(4) }, () =>
            encodeFrame(random.pick([FrameFlag.last, FrameFlag.ack, 0, 0xff]), random.bytes(size)).subarray()
          )
          const pieces = random.chance(0.5) ? frames : [mutateBytes(joined(frames), random), random.bytes(size)]
          const outcome = await node.say(protocol, pieces)
          if (outcome === 'shut out') {
            expect(protocol, replay).toMatch(GOSSIP)
            expect(i, replay).toBeGreaterThan(0)
            return
          }
          if (outcome === 'closed') ended.set(protocol, (ended.get(protocol) ?? 0) + 1)
        }
      }
      await Promise.all(protocols.map(protocol => say(protocol, new Random(random.below(2 ** 31)))))
      // The peer refuses most invalid bytes at once. The remaining bytes could be the beginning of a message.
      for (const protocol of protocols)
        if (protocol.includes('/p2p-worker/'))
          expect(ended.get(protocol), `${protocol}; ${replay}`).toBeGreaterThan(STREAMS / 3)
    } finally {
      await Promise.all(nodes.map(node => node.stop()))
    }
    await expectUnharmed(gossip)
  })
})
