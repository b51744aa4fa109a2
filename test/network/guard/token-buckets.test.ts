import { expect, test } from 'vitest'
import { RATES } from '../../../src/network/guard/rates.ts'
import { TokenBuckets } from '../../../src/network/guard/token-buckets.ts'

/** Returns token buckets with a burst of 10 and a rate of 2 a second, and the clock of the buckets. */
function limited() {
  const clock = { now: 1_000 }
  return { clock, limit: new TokenBuckets({ burst: 10, perSecond: 2 }, () => clock.now) }
}

test('a burst has no wait, and an amount beyond the burst waits for the time that the rate needs', () => {
  const { limit } = limited()
  expect(limit.take('a', 10)).toBe(0)
  expect(limit.take('a', 1)).toBe(500)
  expect(limit.take('a', 3)).toBe(2_000)
  expect(limit.owed('a')).toBe(2_000)
})

test('a bucket refills at its rate, up to the burst', () => {
  const { clock, limit } = limited()
  limit.take('a', 10)
  clock.now += 1_000
  expect(limit.take('a', 2)).toBe(0)
  expect(limit.take('a', 1)).toBe(500)
  clock.now += 3_600_000
  expect(limit.take('a', 10)).toBe(0)
  expect(limit.take('a', 1)).toBe(500)
})

test('a refused amount takes nothing from the bucket', () => {
  const { clock, limit } = limited()
  expect(limit.tryTake('a', 11)).toBe(false)
  expect(limit.tryTake('a', 10)).toBe(true)
  for (let i = 0; i < 100; i++) expect(limit.tryTake('a', 1)).toBe(false)
  clock.now += 500
  expect(limit.tryTake('a', 1)).toBe(true)
})

test('a paused bucket does not fill', () => {
  const { clock, limit } = limited()
  limit.take('a', 8)
  limit.pause('a', 60_000)
  limit.pause('nobody', 60_000)
  clock.now += 60_000
  expect(limit.tryTake('a', 3)).toBe(false)
  expect(limit.tryTake('a', 2)).toBe(true)
  expect(limit.tryTake('nobody', 10)).toBe(true)
  clock.now += 5_000
  expect(limit.tryTake('a', 10)).toBe(true)
})

test('each peer has a separate bucket', () => {
  const { limit } = limited()
  limit.take('a', 1_000)
  expect(limit.take('b', 10)).toBe(0)
})

test('the limit still remembers a peer that owes an excess after 5,000 other peers took an amount', () => {
  const { clock, limit } = limited()
  limit.take('a', 100)
  for (let i = 0; i < 5_000; i++) {
    limit.take(`peer${i}`, 1)
    clock.now += 1
  }
  expect(limit.owed('a')).toBeGreaterThan(0)
})

test('the default rates exceed the needs of a peer that follows the protocol', () => {
  // The worst case is a full mesh of 64 with the shortest probe period, in which all peers reach each other only through this peer.
  const forAll = 63 / 0.3
  expect(RATES.swim.perSecond).toBeGreaterThan(2 * forAll)
  // While this peer is paused for a minute, one peer sends a ping and three indirect pings in each period.
  expect(RATES.swim.burst).toBeGreaterThan(2 * 60 * (4 / 0.3))
  // The record burst allows four tables of 5,000 members.
  expect(RATES.records.burst).toBeGreaterThanOrEqual(4 * 5_000)
  // The gossip burst allows two accusations of each of 64 neighbours, with a margin of a factor of two.
  expect(RATES.gossip.burst).toBeGreaterThanOrEqual(4 * 64)
  expect(RATES.relay.burst).toBeGreaterThanOrEqual(2 * 40 * 64)
})
