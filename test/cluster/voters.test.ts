import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster } from './processes.ts'

describe('a cluster with three voters', () => {
  let cluster: ProcessCluster
  let ids: string[]
  let peers: PeerProcess[]

  const folder = (n: number): string => join(cluster.home, `voter ${n}`)
  const start = async (n: number): Promise<PeerProcess> => {
    const peer = cluster.join(['--data-dir', folder(n), '--voters', ids.join(',')])
    await peer.ready()
    peers[n] = peer
    return peer
  }
  const nobodyLeads = (peer: PeerProcess): Promise<void> => peer.until('no leader', () => peer.leader === null)

  beforeAll(async () => {
    cluster = await ProcessCluster.create()
    const made = await Promise.all(
      [0, 1, 2].map(n => cluster.spawnBare(['id', '--data-dir', folder(n)], cluster.env).ended)
    )
    ids = made.map(({ stdout }) => stdout.trim())
    peers = []
    for (const n of [0, 1, 2]) await start(n)
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  it('users can name the voters by PeerId before any voter has started', () => {
    expect(peers.map(peer => peer.id)).toEqual(ids)
  })

  it('the highest-ranked voter leads, and a peer without a vote never leads, even if its rank is higher', async () => {
    const other = cluster.join(['--voters', ids.join(','), '--election-priority', '9'])
    await other.ready()
    await other.follows(ids.toSorted().at(-1)!)
    const [leader, ...rest] = cluster.byRank().filter(peer => peer !== other)
    await leader!.end('SIGKILL')
    await Promise.all([...rest, other].map(peer => peer.follows(rest[0]!.id)))
    await other.end()
    await start(peers.indexOf(leader!))
    await cluster.settled()
  })

  it('a cluster with voters has no leader without a majority, reports why, and has a leader again when a voter returns', async () => {
    const [last, ...others] = cluster.byRank()
    const n = peers.indexOf(others[0]!)
    const epoch = last!.epoch!
    await Promise.all(others.map(peer => peer.end('SIGKILL')))
    await nobodyLeads(last!)
    // The lease may end before the membership holds both voters dead.
    await Promise.all(others.map(({ id }) => last!.sees(id, 'dead')))
    const bootstrap = ['--no-mdns', '--bootstrap', last!.addresses[0]!]
    const status = await cluster.run(['status', '--json', ...bootstrap])
    expect(status.code).toBe(0)
    const seen = JSON.parse(status.stdout)
    expect(seen).toMatchObject({ leader: null, epoch: null })
    expect(seen.noLeader).toMatch(/a majority of its voters is needed, 2 of 3, and only 1 can be reached; missing: /)
    for (const { id } of others) expect(seen.noLeader).toContain(id)
    const run = await cluster.run(['run', 'examples/nas-ep.ts', '--wait', '1s', ...bootstrap])
    expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining('a majority of its voters is needed') })
    await start(n)
    await cluster.settled()
    expect(last!.epoch).toBeGreaterThan(epoch)
  })

  it('a cluster with voters records each leadership: the leader, the epoch, and the time and the reason of the end', async () => {
    const history = await cluster.run(['history', '--json'])
    expect(history.code).toBe(0)
    const past = JSON.parse(history.stdout) as { peerId: string; epoch: number; until: string | null; why: string }[]
    expect(past.at(-1)).toMatchObject({ peerId: cluster.byRank()[0]!.id, until: null, why: null })
    expect(past.map(({ why }) => why)).toContain('lost its lease')
    const epochs = past.map(({ epoch }) => epoch)
    expect(epochs).toEqual([...new Set(epochs)].sort((a, b) => a - b))
  })

  it('a cluster with voters does not admit a peer with other voters, and both report that', async () => {
    const stranger = cluster.join(['--log-level', 'warn'])
    await stranger.ready()
    await stranger.until('a warning', () => stranger.stderr.includes('voters'))
    const [peer] = cluster.live
    await peer!.until('a warning', () => peer!.stderr.includes(stranger.id))
    for (const peer of cluster.live.filter(peer => peer !== stranger))
      expect(peer.states().has(stranger.id)).toBe(false)
    await stranger.end()
  })
})
