import { expect, test } from 'vitest'
import { gossipHops, messagesPerPeriod, timesToFirstProbe } from './membership-scale.ts'

// bench/membership-scale.bench.ts makes the same measurements with up to 5,000 members.
const SMALL = 10
const LARGE = 150

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

test('the first probe of a silently crashed member begins after about one period, in a small cluster and in a large cluster', () => {
  const small = Array.from({ length: 1_200 }, (_, seed) => timesToFirstProbe(seed, SMALL, 1)).flat()
  const large = Array.from({ length: 60 }, (_, seed) => timesToFirstProbe(seed, LARGE, 10)).flat()
  // Each bound is at least three standard errors (0.024 and 0.039) away from the mean of many more crashes: 0.88 periods with nine
  // observers in rounds of nine, and 1.00 with about 16 of 150 as observers.
  expect(mean(small)).toBeGreaterThan(0.78)
  expect(mean(small)).toBeLessThan(0.96)
  expect(mean(large)).toBeGreaterThan(0.88)
  expect(mean(large)).toBeLessThan(1.12)
})

test('gossip reaches all n members of a cluster within log2(n) hops, rounded up', () => {
  for (const size of [SMALL, 100, LARGE]) {
    for (const hops of gossipHops(1, size, 10)) expect(hops).toBeLessThanOrEqual(Math.ceil(Math.log2(size)))
  }
})

test('a member of a large cluster sends as few messages in a period as a member of a small cluster', () => {
  const [small, large] = [messagesPerPeriod(1, SMALL), messagesPerPeriod(1, LARGE)]
  // In one period a member sends a ping and an ack, and sometimes a push-pull.
  expect(small).toBeLessThan(2.2)
  expect(large).toBeLessThanOrEqual(small)
})
