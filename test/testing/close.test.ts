import { StoppedError } from 'p2p-worker'
import { startCluster, type TestCluster } from 'p2p-worker/testing'
import { expect, test, vi } from 'vitest'
import { connect } from '../../src/api/client.ts'
import { join } from '../../src/api/peer.ts'
import { deferred } from '../network/support.ts'

vi.mock('../../src/api/peer.ts', async importOriginal => {
  const actual = await importOriginal<typeof import('../../src/api/peer.ts')>()
  return { ...actual, join: vi.fn(actual.join) }
})
vi.mock('../../src/api/client.ts', async importOriginal => {
  const actual = await importOriginal<typeof import('../../src/api/client.ts')>()
  return { ...actual, connect: vi.fn(actual.connect) }
})

/** Resolves when the cluster's client and peers have ended, and the code that awaited them has run. */
async function othersEnded({ client, peers }: TestCluster): Promise<void> {
  await Promise.all([client.close(), ...peers.map(peer => peer.leave())])
  await new Promise(resolve => setImmediate(resolve))
}

test('close() waits for a peer that is stopping', async () => {
  const cluster = await startCluster({ peers: 2 })
  const [leaving] = cluster.peers
  const order: string[] = []
  const leave = leaving!.leave.bind(leaving)
  let left: Promise<void> | undefined
  vi.spyOn(leaving!, 'leave').mockImplementation(() => {
    left ??= othersEnded(cluster)
      .then(leave)
      .then(() => void order.push('left'))
    return left
  })
  const stopping = cluster.stop(leaving!)
  await Promise.all([expect(stopping).rejects.toThrow(StoppedError), cluster.close().then(() => order.push('closed'))])
  expect(order).toEqual(['left', 'closed'])
})

test('close() waits for peers and clients that are starting, and ends them', async () => {
  const { join: realJoin } = await vi.importActual<typeof import('../../src/api/peer.ts')>('../../src/api/peer.ts')
  const { connect: realConnect } =
    await vi.importActual<typeof import('../../src/api/client.ts')>('../../src/api/client.ts')
  const cluster = await startCluster({ peers: 1 })
  const order: string[] = []
  const there = [deferred<void>(), deferred<void>()]
  const bothThere = Promise.all(there.map(({ promise }) => promise))
  // Both starts ignore the abort and resolve only after all else of the cluster has ended.
  const late = async (index: number): Promise<void> => {
    there[index]!.resolve()
    await bothThere
    await othersEnded(cluster)
  }
  vi.mocked(join).mockImplementationOnce(async ({ signal: _, ...options }) => {
    const peer = await realJoin(options)
    const leave = peer.leave.bind(peer)
    vi.spyOn(peer, 'leave').mockImplementationOnce(() => leave().then(() => void order.push('peer ended')))
    await late(0)
    return peer
  })
  vi.mocked(connect).mockImplementationOnce(async ({ signal: _, ...options }) => {
    const client = await realConnect(options)
    const close = client.close.bind(client)
    vi.spyOn(client, 'close').mockImplementationOnce(() => close().then(() => void order.push('client ended')))
    await late(1)
    return client
  })
  const [adding, connecting] = [cluster.addPeer(), cluster.connect()]
  await bothThere
  await Promise.all([
    expect(adding).rejects.toThrow(StoppedError),
    expect(connecting).rejects.toThrow(StoppedError),
    cluster.close().then(() => order.push('closed'))
  ])
  expect(order.at(-1)).toBe('closed')
  expect(order.sort()).toEqual(['client ended', 'closed', 'peer ended'])
  expect(cluster.peers).toHaveLength(1)
})
