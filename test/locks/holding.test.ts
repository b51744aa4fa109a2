import { expect, test } from 'vitest'
import { Holding } from '../../src/locks/core/holding.ts'

test('a holder counts its lock from the time of its request, less the drift of clocks and a margin', () => {
  const holding = new Holding(10_000)
  const sequence = holding.ask(1_000)
  holding.held(sequence, 5_000)
  const validFor = (10_000 * 0.99) / 1.01 - 50
  expect(holding.remaining(5_000)).toBeCloseTo(1_000 + validFor - 5_000)
  expect(holding.remaining(1_000 + validFor)).toBe(0)
})

test('a late answer to an older request does not shorten a lock', () => {
  const holding = new Holding(10_000)
  const [first, second] = [holding.ask(0), holding.ask(2_000)]
  holding.held(second, 2_100)
  const remaining = holding.remaining(2_200)
  holding.held(first, 2_200)
  expect(holding.remaining(2_200)).toBe(remaining)
})

test('an answer to a request that is older than the ttl counts for nothing', () => {
  const holding = new Holding(1_000)
  const sequence = holding.ask(0)
  holding.ask(2_000)
  holding.held(sequence, 2_000)
  expect(holding.remaining(2_000)).toBe(0)
})
