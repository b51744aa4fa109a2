import { afterEach, beforeEach, expect, test } from 'vitest'
import { LoopLag } from '../../src/membership/loop-lag.ts'

const TOLERANCE = 1_000
let lag: LoopLag

beforeEach(() => {
  lag = new LoopLag(TOLERANCE)
})

afterEach(() => lag.stop())

/** Lets the loop be looked at: it is every 100 ms. */
const turns = () => new Promise(resolve => setTimeout(resolve, 300))

function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('an event loop that was blocked for longer than is tolerated was late, and is asked about once', async () => {
  await turns()
  expect(lag.wasLate()).toBe(false)
  block(1.5 * TOLERANCE)
  await turns()
  expect(lag.wasLate()).toBe(true)
  expect(lag.wasLate()).toBe(false)
})

test('what follows right after the question counts, too', async () => {
  await turns()
  expect(lag.wasLate()).toBe(false)
  block(1.5 * TOLERANCE)
  await turns()
  expect(lag.wasLate()).toBe(true)
})
