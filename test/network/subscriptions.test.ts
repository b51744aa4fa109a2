import { afterEach, expect, test, vi } from 'vitest'
import type { Network } from '../../src/network/types.ts'
import { nodes } from './kept-nodes.ts'
import { address, connected, pair, start, until } from './support.ts'

vi.mock('../../src/network/node.ts', async original => (await import('./kept-nodes.ts')).keepingNodes(original))

afterEach(() => nodes.clear())

interface Subscription {
  topic: string
  subscribe: boolean
}

/** The private fields of gossipsub that the test reads. */
interface Router {
  /** The subscribed peers of each topic. */
  topics: Map<string, Set<string>>
  sendRpc(peer: string, rpc: { subscriptions: Subscription[]; messages: [] }): boolean
}

function router(network: Network): Router {
  return nodes.get(network.self)!.services.pubsub as unknown as Router
}

function idOf(network: Network, topic: string): string {
  return `/p2p-worker/${network.clusterId}/${topic}`
}

function subscribed(network: Network, peer: Network, topic: string): boolean {
  return router(network).topics.get(idOf(network, topic))?.has(peer.self) === true
}

/** Subscribes to topics that no other peer knows, with a thousand topics in each message. */
function invent(liar: Network, victim: Network, count: number): void {
  for (let from = 0; from < count; from += 1_000) {
    const subscriptions = Array.from({ length: Math.min(1_000, count - from) }, (_, i) => ({
      topic: idOf(liar, `made-up-${from + i}`),
      subscribe: true
    }))
    router(liar).sendRpc(victim.self, { subscriptions, messages: [] })
  }
}

const accept = (): void => {}
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('a peer keeps only topics of the cluster, and stays connected to a peer that subscribes to 1,500 other topics', async () => {
  const [victim, liar] = await pair()
  victim.subscribe('news', accept, accept)
  liar.subscribe('news', accept, accept)
  await until(() => subscribed(victim, liar, 'news'))
  invent(liar, victim, 1_500)
  // The victim reads the messages of a stream in order. When it has read this message, it has read all invented subscriptions before.
  liar.subscribe('leader', accept, accept)
  await until(() => subscribed(victim, liar, 'leader'))
  expect([...router(victim).topics.keys()].sort()).toEqual([idOf(victim, 'leader'), idOf(victim, 'news')])
  expect(victim.isConnected(liar.self)).toBe(true)
})

test('at the default limits, a peer exceeds its rate by subscribing to 100,000 invented topics, and honest peers still receive gossip', async () => {
  const [victim, liar] = await pair()
  const other = await start({ bootstrap: [address(victim)] })
  await Promise.all([connected(victim, other), connected(other, victim)])
  const heard: string[] = []
  const topic = victim.subscribe('news', accept, accept)
  other.subscribe('news', accept, data => void heard.push(new TextDecoder().decode(data)))
  liar.subscribe('news', accept, accept)
  await until(() => subscribed(victim, liar, 'news') && subscribed(victim, other, 'news'))
  let most = 0
  const { topics } = router(victim)
  const set = topics.set.bind(topics)
  topics.set = (name, peers) => {
    most = Math.max(most, topics.size + 1)
    return set(name, peers)
  }
  invent(liar, victim, 100_000)
  await until(() => !victim.isConnected(liar.self) || most > 0)
  expect(most).toBe(0)
  expect(victim.refusals.counts().rate).toBeGreaterThan(0)
  const timer = setInterval(() => topic.publish(bytes('still here')), 50)
  await until(() => heard.includes('still here')).finally(() => clearInterval(timer))
  expect([...topics.keys()]).toEqual([idOf(victim, 'news')])
  expect(victim.isConnected(other.self)).toBe(true)
})
