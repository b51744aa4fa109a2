import { createHistogram } from 'node:perf_hooks'
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

test('every look is counted by how late it was, those before and after a question alike', async () => {
  await turns()
  const looks = () => lag.histogram().counts.reduce((sum, count) => sum + count, 0)
  const late = () =>
    lag
      .histogram()
      .counts.slice(lag.histogram().bounds.indexOf(500) + 1)
      .reduce((sum, count) => sum + count, 0)
  expect(looks()).toBeGreaterThan(0)
  expect(late()).toBe(0)
  block(1.5 * TOLERANCE)
  await expect.poll(late).toBe(1)
  const before = lag.histogram()
  expect(lag.wasLate()).toBe(true)
  expect(lag.histogram()).toEqual(before)
  await turns()
  block(1.5 * TOLERANCE)
  await expect.poll(late).toBe(2)
  expect(lag.histogram().sum).toBeGreaterThan(2.5 * TOLERANCE)
  expect(looks()).toBeGreaterThan(before.counts.reduce((sum, count) => sum + count, 0))
})

test('without lag the sum is none either', () => {
  const { counts, sum } = lag.histogram()
  expect(sum).toBeLessThan(TOLERANCE)
  expect(counts.length).toBe(lag.histogram().bounds.length + 1)
})

test('the sum only grows, and holds what a timer has held up: the look after that is as much too early', () => {
  const looks = createHistogram()
  const faked = new LoopLag(TOLERANCE, Object.assign(looks, { enable: () => true, disable: () => true }))
  looks.record(160e6)
  const late = faked.histogram().sum
  expect(late).toBeGreaterThan(59)
  looks.record(40e6)
  expect(faked.histogram().sum).toBe(late)
  for (let i = 0; i < 3; i++) {
    looks.record(160e6)
    looks.record(40e6)
  }
  // In the bucket from 50 to 100 ms.
  expect(faked.histogram().sum).toBeGreaterThanOrEqual(4 * 50)
})
