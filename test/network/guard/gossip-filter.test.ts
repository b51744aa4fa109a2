import type { GossipSub } from '@chainsafe/libp2p-gossipsub'
import { generateKeyPair } from '@libp2p/crypto/keys'
import type { PeerId } from '@libp2p/interface'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { beforeAll, expect, test } from 'vitest'
import { limitsWith } from '../../../src/common/limits.ts'
import { filterGossip } from '../../../src/network/guard/gossip-filter.ts'
import type { Control, Rpc } from '../../../src/network/guard/gossip-rpc.ts'
import { RateLimiter } from '../../../src/network/guard/rate-limiter.ts'
import { Refusals } from '../../../src/network/guard/refusals.ts'
import { address, connected, pair, start, until } from '../support.ts'

let bearer: PeerId
let other: PeerId

beforeAll(async () => {
  ;[bearer, other] = (await Promise.all([make(), make()])) as [PeerId, PeerId]
})

async function make(): Promise<PeerId> {
  return peerIdFromPrivateKey(await generateKeyPair('Ed25519'))
}

/** A fake gossipsub behind the filter. It records the RPCs that pass the filter. */
function filtered() {
  const through: Rpc[] = []
  const shut: string[] = []
  const peers = new Map([[bearer.toString(), bearer]])
  const pubsub = { peers, handleReceivedRpc: async (_: PeerId, rpc: Rpc) => void through.push(rpc) }
  const limits = limitsWith({ gossipBurst: 10, gossipRate: 1, relayBurst: 100, relayRate: 1 })
  const refusals = new Refusals()
  const limiter = new RateLimiter(
    limits,
    peer => shut.push(peer),
    () => 1_000
  )
  filterGossip(pubsub as unknown as GossipSub, limiter, refusals, new Set(['news', 'weather']))
  const send = async (authors: Array<PeerId | undefined>, rest: Partial<Rpc> = {}): Promise<void> => {
    const messages = authors.map(author => (author === undefined ? {} : { from: author.toMultihash().bytes }))
    await pubsub.handleReceivedRpc(bearer, { subscriptions: [], ...rest, messages })
  }
  const taken = (): number => through.reduce((sum, { messages }) => sum + messages.length, 0)
  return { through, shut, refusals, send, taken, peers }
}

test('the filter passes a peer’s own messages only up to the rate of the peer, even if one RPC contains all the messages', async () => {
  const { refusals, send, taken } = filtered()
  await send(Array.from({ length: 15 }, () => bearer))
  expect(taken()).toBe(10)
  await send([bearer])
  expect(taken()).toBe(10)
  expect(refusals.counts().rate).toBe(6)
})

test('the filter counts messages of another author, and messages without an author, against the relay rate', async () => {
  const { send, taken } = filtered()
  await send(Array.from({ length: 70 }, () => other))
  await send(Array.from({ length: 70 }, () => undefined))
  expect(taken()).toBe(100)
  await send([bearer])
  expect(taken()).toBe(101)
})

test('an RPC with only control data counts as one message, and the filter still passes subscriptions when the rate is exceeded', async () => {
  const { through, send } = filtered()
  const control = { prune: [{ topicID: 'news' }] }
  for (let i = 0; i < 10; i++) await send([], { control })
  expect(through.length).toBe(10)
  await send([], { control })
  expect(through.length).toBe(10)
  await send([], { control, subscriptions: [{ topic: 'news', subscribe: true }] })
  expect(through.at(-1)).toEqual({ subscriptions: [{ topic: 'news', subscribe: true }], messages: [] })
})

test('the filter passes only the last subscription to each topic of the cluster, and counts every other subscription as a message', async () => {
  const { through, refusals, send } = filtered()
  const invented = Array.from({ length: 4 }, (_, i) => ({ topic: `made-up-${i}`, subscribe: true }))
  const toggled = [true, false, true, false].map(subscribe => ({ topic: 'news', subscribe }))
  const known = { topic: 'weather', subscribe: true }
  await send([], { subscriptions: [...invented, ...toggled, known] })
  expect(through).toEqual([{ subscriptions: [{ topic: 'news', subscribe: false }, known], messages: [] }])
  expect(refusals.counts().rate).toBe(0)
  await send([], { subscriptions: [...invented, known] })
  expect(refusals.counts().rate).toBe(1)
  expect(through.at(-1)).toEqual({ subscriptions: [known], messages: [] })
})

test('the filter removes unknown topics and long ids from control messages, and limits back-offs', async () => {
  const { through, send } = filtered()
  const [short, long] = [new Uint8Array(46), new Uint8Array(1_000)]
  const elsewhere = { topicID: 'elsewhere' }
  const news = { topicID: 'news' }
  const control: Control = {
    ihave: [
      { ...elsewhere, messageIDs: [short] },
      { ...news, messageIDs: [short, long] }
    ],
    iwant: [{ messageIDs: [long, short] }],
    graft: [elsewhere, news],
    prune: [{ ...news, backoff: 1e15, peers: [{}, {}] }],
    idontwant: [{ messageIDs: [long] }]
  }
  await send([], { control })
  expect(through.at(-1)?.control).toEqual({
    ihave: [{ ...news, messageIDs: [short] }],
    iwant: [{ messageIDs: [short] }],
    graft: [news],
    prune: [{ ...news, backoff: 600, peers: [] }],
    idontwant: [{ messageIDs: [] }]
  })
  await send([], { control: { graft: Array.from({ length: 20 }, () => news) } })
  expect(through.at(-1)?.control?.graft).toHaveLength(16)
})

test('the filter drops an RPC that arrives after the sender of the RPC has disconnected', async () => {
  const { through, peers, send } = filtered()
  peers.clear()
  await send([bearer], { subscriptions: [{ topic: 'news', subscribe: true }] })
  expect(through).toEqual([])
})

test('the filter blocks a peer that keeps exceeding its rate, and then passes no gossip from the blocked peer', async () => {
  const { shut, send, taken } = filtered()
  await send(Array.from({ length: 22 }, () => bearer))
  expect(shut).toEqual([bearer.toString()])
  await send([other])
  expect(taken()).toBe(10)
})

test('`filterGossip` throws an error if gossipsub lacks the method that the filter wraps', () => {
  const limiter = new RateLimiter(limitsWith(), () => {})
  expect(() => filterGossip({} as GossipSub, limiter, new Refusals(), new Set())).toThrow(/cannot be filtered/)
})

test('honest peers disconnect a peer that floods them with gossip, and still receive each other’s gossip', async () => {
  const limits = limitsWith({ gossipBurst: 50, gossipRate: 1, floodPauseMs: 60_000 })
  const [a, b] = await pair({ limits })
  const c = await start({ limits, bootstrap: [address(a)] })
  await connected(a, c)
  const atC: string[] = []
  const encode = (text: string) => new TextEncoder().encode(text)
  const quiet = a.subscribe(
    'news',
    () => {},
    () => {}
  )
  c.subscribe(
    'news',
    () => {},
    data => atC.push(new TextDecoder().decode(data))
  )
  const flooding = b.subscribe(
    'news',
    () => {},
    () => {}
  )
  const flood = setInterval(() => {
    for (let i = 0; i < 20; i++) flooding.publish(encode('flood'))
  }, 5)
  await until(() => !a.isConnected(b.self)).finally(() => clearInterval(flood))
  expect(atC.filter(text => text === 'flood').length).toBeLessThanOrEqual(2 * (50 + 10))
  const timer = setInterval(() => quiet.publish(encode('quiet')), 100)
  await until(() => atC.includes('quiet')).finally(() => clearInterval(timer))
  expect(a.isConnected(c.self)).toBe(true)
})
