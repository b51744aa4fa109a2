import { expect, test } from 'vitest'
import { RATES } from '../../src/network/guard/rates.ts'
import type { Network } from '../../src/network/types.ts'
import { address, pair, start, until } from './support.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const accept = () => {}

test('each of twenty peers with the same bootstrap address receives what every other peer publishes', async () => {
  const seed = await start()
  const peers: Network[] = [seed]
  for (let i = 1; i < 20; i++) peers.push(await start({ bootstrap: [address(seed)] }))
  const received = peers.map(() => new Set<string>())
  const topics = peers.map((peer, i) => peer.subscribe('news', accept, data => received[i]?.add(decode(data))))
  // The connections form a star and a ring: the seed has many neighbours, and most peers receive a message by relay, not from its author.
  await Promise.all(
    peers.map(async (peer, i) => {
      const next = peers[(i + 1) % 20] ?? seed
      peer.learn(next.self, next.addresses(), undefined)
      await peer.connect(next.self)
    })
  )
  await until(() => seed.connected().length === 19)
  // Gossipsub exchanges subscriptions after it connects, so a message that is published before the exchange reaches nobody.
  const timer = setInterval(() => {
    for (const [i, topic] of topics.entries()) topic.publish(encode(`from ${i}`))
  }, 500)
  await until(() => received.every(set => set.size === 19)).finally(() => clearInterval(timer))
  expect(received[3]?.has('from 3')).toBe(false)
})

test('a peer neither delivers nor relays a message when the validator of the topic throws on the message', async () => {
  const [a, b] = await pair()
  const c = await start({ bootstrap: [address(b)] })
  const atB: string[] = []
  const atC: string[] = []
  const refuse = (data: Uint8Array) => {
    if (decode(data).startsWith('bad')) throw new Error('bad')
  }
  const topic = a.subscribe('news', accept, accept)
  b.subscribe('news', refuse, data => atB.push(decode(data)))
  c.subscribe('news', accept, data => atC.push(decode(data)))
  let i = 0
  while (atC.length < 3) {
    topic.publish(encode(`bad ${i}`))
    topic.publish(encode(`good ${i++}`))
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  expect(atB.length).toBeGreaterThan(2)
  expect([...atB, ...atC].filter(text => text.startsWith('bad'))).toEqual([])
})

test('a peer delivers and relays the gossip of a flooding peer only up to the rate limit, and still delivers the gossip of other peers', async () => {
  const [b, a] = await pair()
  const c = await start({ bootstrap: [address(b)] })
  const [atB, atC]: [string[], string[]] = [[], []]
  const flooding = a.subscribe('news', accept, accept)
  b.subscribe('news', accept, data => atB.push(decode(data)))
  const quiet = c.subscribe('news', accept, data => atC.push(decode(data)))
  const from = (who: string, got: string[]) => got.filter(text => text.startsWith(who)).length
  const published = performance.now()
  // Gossipsub exchanges subscriptions after peers connect, so the first messages may reach no peer.
  for (let i = 0; from('flood', atC) === 0 || i < 2_000; i++) {
    flooding.publish(encode(`flood ${i}`))
    if (i % 20 === 0) await new Promise(resolve => setTimeout(resolve, 5))
  }
  const timer = setInterval(() => quiet.publish(encode('quiet')), 100)
  await until(() => from('quiet', atB) > 0).finally(() => clearInterval(timer))
  const allowed = RATES.gossip.burst + (RATES.gossip.perSecond * (performance.now() - published)) / 1_000 + 1
  expect(from('flood', atB)).toBeLessThanOrEqual(allowed)
  expect(from('flood', atC)).toBeLessThanOrEqual(allowed)
})

test('a peer may publish on a closed topic without an error, and may subscribe to the topic again', async () => {
  const a = await start()
  const topic = a.subscribe('news', accept, accept)
  expect(() => a.subscribe('news', accept, accept)).toThrow(/subscribed already/)
  topic.close()
  topic.publish(encode('into the void'))
  a.subscribe('news', accept, accept)
})
