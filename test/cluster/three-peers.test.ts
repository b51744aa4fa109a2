import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { ProcessCluster } from './processes.ts'

describe('three peers on loopback that know one address', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(3)
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  it('three peers all name the highest PeerId as their leader', () => {
    const highest = cluster.byRank()[0]!.id
    expect(cluster.peers.map(peer => peer.leader)).toEqual([highest, highest, highest])
    expect(new Set(cluster.peers.map(peer => peer.epoch)).size).toBe(1)
  })

  it('three peers report themselves to a client', async () => {
    // A slow peer may be a suspect for a moment.
    const { code, status } = await vi.waitFor(
      async () => {
        const { code, stdout } = await cluster.run(['status', '--json'])
        const status = JSON.parse(stdout || '{}')
        if (code === 0) expect(status.members.map(({ state }: { state: string }) => state)).not.toContain('suspect')
        return { code, status }
      },
      { timeout: 60_000 }
    )
    expect(code).toBe(0)
    const [leader, second, third] = cluster.byRank().map(peer => peer.id)
    expect(status).toMatchObject({ cluster: 'test', leader, epoch: cluster.peers[0]!.epoch, jobs: [] })
    expect(status.members.map((member: { peerId: string }) => member.peerId).toSorted()).toEqual(
      [leader, second, third].toSorted()
    )
    for (const member of status.members) {
      expect(member).toMatchObject({ state: 'alive', role: 'auto', slots: 1, busy: 0, version: expect.any(String) })
      expect(member.addresses.length).toBeGreaterThan(0)
    }
  })

  it('three peers compute the published sums of NAS EP class S', async () => {
    const { code, stdout, stderr } = await cluster.run([
      'run',
      'examples/nas-ep.ts',
      '--input',
      '{"class":"S"}',
      '--no-speculate',
      '--json'
    ])
    expect(stderr).not.toMatch(/error/i)
    const { state, result, error, stats } = JSON.parse(stdout)
    expect({ code, state, error }).toEqual({ code: 0, state: 'completed', error: null })
    expect(result).toMatchObject({ verified: true, counts: [6140517, 5865300, 1100361, 68546, 1648, 17, 0, 0, 0, 0] })
    const perPeer: number[] = Object.values(stats.perPeer)
    expect(perPeer.reduce((sum, chunks) => sum + chunks, 0)).toBe(stats.chunks)
    expect(stats).toMatchObject({ retries: 0, recomputed: 0, speculated: 0 })
  })

  it('when the leader is killed, the two remaining peers declare it dead and elect the next-highest peer', async () => {
    const [leader, next, last] = cluster.byRank()
    await leader!.end('SIGKILL')
    await Promise.all([next, last].flatMap(peer => [peer!.follows(next!.id), peer!.sees(leader!.id, 'dead')]))
    expect(next!.epoch).toBe(last!.epoch)
  })

  it('three peers let a peer with a higher rank take over, and follow the next peer when it leaves', async () => {
    const [first] = cluster.byRank()
    const before = first!.epoch!
    // PeerIds are random, so the priority gives the joiner the highest rank.
    const joiner = cluster.join(['--election-priority', '1'])
    await joiner.ready()
    await Promise.all(cluster.live.map(peer => peer.follows(joiner.id)))
    expect(first!.epoch).toBeGreaterThan(before)
    expect(await joiner.end('SIGTERM')).toEqual({ code: 0, signal: null })
    await Promise.all(cluster.byRank().flatMap(peer => [peer.follows(first!.id), peer.sees(joiner.id, 'left')]))
  })
})

describe('three peers that give a silent one at least ten seconds', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(3, ['--profile', 'wan'])
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  it('peers declare a killed peer dead sooner than the shortest suspicion of a silent peer', async () => {
    // During this job the peers dial each other back. The fast detection of a crash works only for addresses that the observer has reached itself.
    await cluster.run(['run', 'test/cluster/tasks/squares.ts', '--input', '{"n":100}'])
    const [victim, ...others] = cluster.byRank()
    const killedAt = performance.now()
    await victim!.end('SIGKILL')
    await Promise.all(others.map(peer => peer.sees(victim!.id, 'dead')))
    for (const peer of others) {
      const dead = peer.events.findLast(event => event.peerId === victim!.id && event.state === 'dead')!
      expect(dead.at - killedAt).toBeLessThan(profiles.wan.suspicionMin)
    }
  })
})
