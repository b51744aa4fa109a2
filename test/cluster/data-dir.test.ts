import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster } from './processes.ts'

describe('peers with a data folder each', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.create()
  })

  afterAll(() => cluster.stop())

  const folder = (n: number) => join(cluster.home, `data ${n}`)
  const start = async (n: number, listen = '/ip4/127.0.0.1/tcp/0'): Promise<PeerProcess> => {
    const peer = cluster.join(['--listen', listen, '--data-dir', folder(n)])
    await peer.ready()
    return peer
  }
  /** Restarts a peer with the same data folder and port, but without an address of another peer. */
  const restart = async (n: number, before: PeerProcess): Promise<PeerProcess> => {
    const address = before.addresses[0]!.split('/p2p/')[0]!
    const peer = cluster.joinAlone(['--listen', address, '--data-dir', folder(n)])
    await peer.ready()
    return peer
  }

  it('peers with data folders keep their PeerIds after a restart, and find each other again without a bootstrap address', async () => {
    const before = [await start(1), await start(2), await start(3)]
    await cluster.settled()
    const epoch = before[0]!.epoch!
    for (const peer of before) expect(await peer.end('SIGTERM')).toMatchObject({ code: 0 })
    const after = await Promise.all(before.map((peer, i) => restart(i + 1, peer)))
    expect(after.map(peer => peer.id)).toEqual(before.map(peer => peer.id))
    await cluster.settled()
    // No epoch is used for two leaderships.
    expect(after[0]!.epoch).toBeGreaterThan(epoch)
  })

  it('peers with data folders return after kill -9 as the same member with a higher incarnation', async () => {
    const [, , victim] = cluster.byRank()
    const n = [1, 2, 3].find(i => cluster.peers[i + 2] === victim)!
    const others = cluster.live.filter(peer => peer !== victim)
    await victim!.end('SIGKILL')
    await Promise.all(others.map(peer => peer.sees(victim!.id, 'dead')))
    const again = await restart(n, victim!)
    expect(again.id).toBe(victim!.id)
    await cluster.settled()
    for (const peer of others) {
      const [dead, alive] = ['dead', 'alive'].map(
        state => peer.events.findLast(event => event.peerId === again.id && event.state === state)!.incarnation!
      )
      expect(alive).toBeGreaterThan(dead!)
    }
  })

  it('a second process on the data folder of a running peer exits 2 and prints the reason', async () => {
    await start(4)
    const second = cluster.joinAlone(['--data-dir', folder(4)])
    expect(await second.exited).toEqual({ code: 2, signal: null })
    expect(second.stderr).toMatch(/another process uses the data folder/)
  })
})
