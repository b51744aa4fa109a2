import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { afterEach, expect, test, vi } from 'vitest'
import type { Network } from '../../src/network/types.ts'
import { bareNode } from './bare-node.ts'
import { nodes } from './kept-nodes.ts'
import { address, bytesCodec, connected, start, until } from './support.ts'

vi.mock('../../src/network/node.ts', async original => (await import('./kept-nodes.ts')).keepingNodes(original))

afterEach(() => nodes.clear())

/** The internal stores in which libp2p keeps state of each peer. */
interface Internals {
  peerStore: { store: { datastore: { data: Map<string, unknown> }; locks: { size: number } } }
  connectionManager: { connections: { size: number } }
  pubsub: Record<(typeof OF_GOSSIP)[number], { size: number }> & {
    score: Record<(typeof OF_SCORE)[number], { size: number }>
  }
}

const OF_GOSSIP = [
  'peers',
  'streamsInbound',
  'streamsOutbound',
  'outbound',
  'topics',
  'peerTopicBytes',
  'floodsubPeers',
  'gossip',
  'control',
  'idontwants',
  'acceptFromWhitelist'
] as const
const OF_SCORE = ['peerStats', 'scoreCache', 'peerIPs'] as const

/** Counts the entries of each store. Subtracts the entry that a peer has about itself in the peer store. */
function kept(network: Network): Record<string, number> {
  const node = nodes.get(network.self)! as unknown as {
    components: Omit<Internals, 'pubsub'>
    services: Pick<Internals, 'pubsub'>
  }
  const { peerStore, connectionManager } = node.components
  const { pubsub } = node.services
  return {
    peerStore: peerStore.store.datastore.data.size - 1,
    locks: peerStore.store.locks.size,
    connections: connectionManager.connections.size,
    ...Object.fromEntries(OF_GOSSIP.map(name => [name, pubsub[name].size])),
    ...Object.fromEntries(OF_SCORE.map(name => [`score.${name}`, pubsub.score[name].size]))
  }
}

const isNothing = (network: Network): boolean => Object.values(kept(network)).every(count => count === 0)

test('a peer keeps no state of clients that have disconnected, even if each client had a new PeerId', async () => {
  const peer = await start()
  peer.subscribe(
    'news',
    () => {},
    () => {}
  )
  const spec = { name: 'x', codec: bytesCodec, maxMessageBytes: 1_000 }
  const protocol = peer.register(spec, { onMessage: () => {} })
  for (let i = 0; i < 20; i++) {
    const client = await start({ listen: [], bootstrap: [address(peer)] })
    await connected(client, peer)
    await client.register(spec, { onMessage: () => {} }).send(peer.self, Uint8Array.of(i))
    await client.stop()
  }
  await until(() => peer.connected().length === 0)
  expect(protocol.channels()).toEqual([])
  await until(() => isNothing(peer))
})

test('a peer forgets a node that disconnects before it identifies its protocols', async () => {
  const peer = await start()
  const node = await bareNode(peer.clusterId)
  // The bare node does not answer identify.
  await node.unhandle('/ipfs/id/1.0.0')
  const connection = await node.dial(multiaddr(address(peer)))
  await connection.newStream('/meshsub/1.2.0')
  await until(() => kept(peer).peers === 1)
  await connection.close()
  await until(() => isNothing(peer))
})

test('a peer removes 5,000 disconnected peers from its peer store and keeps the connected peer', async () => {
  const peer = await start()
  const other = await start({ bootstrap: [address(peer)] })
  await until(() => kept(peer).peers === 1)
  const { peerStore } = nodes.get(peer.self)!
  for (let i = 0; i < 5_000; i++) {
    const id = peerIdFromPrivateKey(await generateKeyPair('Ed25519'))
    await peerStore.merge(id, { metadata: { 'last-dial-failure': new Uint8Array(13) } })
  }
  await until(() => kept(peer).peerStore === 1)
  expect((await peerStore.all()).map(({ id }) => id.toString())).toEqual([other.self])
})
