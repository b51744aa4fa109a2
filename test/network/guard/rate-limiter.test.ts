import { expect, test } from 'vitest'
import { limitsWith } from '../../../src/common/limits.ts'
import { OWN_GOSSIP, RateLimiter } from '../../../src/network/guard/rate-limiter.ts'
import { RATES } from '../../../src/network/guard/rates.ts'
import type { ProtocolSpec } from '../../../src/network/types.ts'
import { connected, pair, textCodec, until } from '../support.ts'

const LIMITS = limitsWith({ overviewBurst: 10, overviewRate: 1, floodTolerance: 20, floodPauseMs: 1_000 })

function limited() {
  const clock = { now: 1_000 }
  const shut: string[] = []
  const pauses: number[] = []
  const limiter = new RateLimiter(
    LIMITS,
    (peer, ms) => {
      shut.push(peer)
      pauses.push(ms)
    },
    () => clock.now
  )
  /** Offers `count` messages to the limiter. Returns the number of admitted messages. */
  const send = (count: number, peer = 'flooder') => {
    let taken = 0
    for (let i = 0; i < count; i++) if (limiter.admits('overview', peer)) taken += 1
    return taken
  }
  return { clock, shut, pauses, limiter, send }
}

test('the limiter admits every message within the rate, and no message beyond the rate', () => {
  const { clock, limiter, send } = limited()
  expect(send(10)).toBe(10)
  expect(send(5)).toBe(0)
  expect(send(10, 'other')).toBe(10)
  clock.now += 3_000
  expect(send(5)).toBe(3)
  expect(limiter.blockedFor('flooder')).toBe(0)
})

test('the limiter has a separate rate for each protocol', () => {
  const { limiter, send } = limited()
  send(20)
  expect(limiter.admits('history', 'flooder')).toBe(true)
})

test('the limiter blocks a peer that keeps exceeding its rate, and admits a full burst of the peer some time after the block', () => {
  const { clock, shut, limiter, send } = limited()
  send(30)
  expect(shut).toEqual([])
  send(1)
  expect(shut).toEqual(['flooder'])
  expect(limiter.blockedFor('flooder')).toBeGreaterThan(0)
  send(100)
  expect(shut).toEqual(['flooder'])
  expect(limiter.blockedFor('other')).toBe(0)
  clock.now += 1_000
  expect(limiter.blockedFor('flooder')).toBe(0)
  clock.now += 10_000
  expect(send(10)).toBe(10)
})

test('the limiter does not refill the buckets of a peer while the peer is blocked', () => {
  const { clock, limiter, send } = limited()
  send(31)
  clock.now += 1_000
  expect(limiter.blockedFor('flooder')).toBe(0)
  expect(send(5)).toBe(0)
  clock.now += 3_000
  expect(send(5)).toBe(3)
})

test('each block of a peer that keeps flooding lasts twice as long as the previous block, up to a bound', () => {
  const { clock, pauses, limiter, send } = limited()
  for (let i = 0; i < 8; i++) {
    send(50)
    expect(limiter.blockedFor('flooder')).toBe(pauses.at(-1))
    clock.now += pauses.at(-1)!
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 32, 32].map(seconds => seconds * 1_000))
})

test('after a block of any length, the limiter tolerates half as many excess messages as before the first block', () => {
  const { clock, pauses, send } = limited()
  send(31)
  for (let i = 1; i < 5; i++) {
    expect(pauses.length).toBe(i)
    clock.now += pauses.at(-1)!
    send(10)
    expect(pauses.length).toBe(i)
    send(1)
  }
})

test('when a peer keeps to its rates after a block, the limiter shortens the next block', () => {
  const { clock, pauses, send } = limited()
  const shutOut = (): void => {
    send(50)
    clock.now += pauses.at(-1)!
  }
  for (let i = 0; i < 3; i++) shutOut()
  clock.now += 6_000
  shutOut()
  expect(pauses).toEqual([1_000, 2_000, 4_000, 4_000])
  clock.now += 60_000
  shutOut()
  expect(pauses.at(-1)).toBe(1_000)
})

test('the limiter blocks a peer only after it has dropped one more burst of the peer’s gossip beyond the rate', () => {
  const { shut, limiter } = limited()
  const { burst } = RATES.gossip
  const send = (count: number) => {
    for (let i = 0; i < count; i++) limiter.admits(OWN_GOSSIP, 'talker')
  }
  send(2 * burst)
  expect(shut).toEqual([])
  send(2)
  expect(shut).toEqual(['talker'])
})

test('every protocol that a peer speaks has a rate', () => {
  const { gossip, relay, records, ...protocols } = RATES
  expect(Object.keys(protocols).sort()).toEqual(
    ['swim', 'election', 'work', 'submit', 'journal', 'overview', 'locks', 'schedules', 'history', 'attach'].sort()
  )
})

test('a peer does not decode a message beyond the rate, closes the channel of the message, and counts the refusal', async () => {
  const [a, b] = await pair({ limits: LIMITS })
  const decoded: string[] = []
  a.register(spec(decoded), { onMessage: () => {} })
  const began = performance.now()
  const channel = await b.register(spec([]), { onMessage: () => {} }).channel(a.self)
  await Promise.allSettled(Array.from({ length: 500 }, (_, i) => channel.send(`${i}`)))
  await until(() => channel.closed.aborted)
  // Opening the stream counts as one message, and the rate admits one more message each second.
  expect(decoded.length).toBeLessThan(10 + Math.floor((performance.now() - began) / 1_000))
  expect(a.refusals.counts()).toMatchObject({ rate: 1, message: 0 })
  expect(a.isConnected(b.self)).toBe(true)
})

test('a peer that keeps flooding loses its connections, and is connected again when the block is over', async () => {
  // With a long block the limiter forgets excess messages slowly, so a slow machine also sends more than the tolerance.
  const [a, b] = await pair({ limits: { ...LIMITS, floodPauseMs: 5_000 } })
  const decoded: string[] = []
  a.register(spec(decoded), { onMessage: () => {} })
  const flooder = b.register(spec([]), { onMessage: () => {} })
  const flood = async (): Promise<void> => {
    while (a.isConnected(b.self)) {
      const channel = await flooder.channel(a.self)
      await Promise.allSettled(Array.from({ length: 50 }, () => channel.send('x')))
    }
  }
  await flood().catch(() => {})
  await until(() => !a.isConnected(b.self))
  expect(a.refusals.counts().rate).toBeGreaterThan(20)
  expect(decoded.length).toBeLessThan(20)
  // The blocked peer dials again by itself and is admitted when the block is over.
  await connected(a, b)
})

test('a channel of a flooder closes even while the handler waits for the flooder to read', async () => {
  const [a, b] = await pair({ limits: LIMITS })
  a.register(spec([]), { onMessage: (_, channel) => channel.send('x'.repeat(900)) })
  const channel = await b.register(spec([]), { onMessage: () => new Promise<void>(() => {}) }).channel(a.self)
  const sent = Array.from({ length: 500 }, (_, i) => channel.send(`${i}`))
  await Promise.allSettled(sent)
  await until(() => channel.closed.aborted)
  expect(a.refusals.counts().rate).toBe(1)
})

function spec(decoded: string[]): ProtocolSpec<string> {
  const decode = (bytes: Uint8Array): string => {
    const text = textCodec.decode(bytes)
    decoded.push(text)
    return text
  }
  return { name: 'overview', codec: { encode: textCodec.encode, decode }, maxMessageBytes: 1_000 }
}
