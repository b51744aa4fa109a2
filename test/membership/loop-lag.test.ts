import { createHistogram } from 'node:perf_hooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LoopLag } from '../../src/membership/loop-lag.ts'

const TOLERANCE = 1_000
let lag: LoopLag

beforeEach(() => {
  lag = new LoopLag(TOLERANCE)
})

afterEach(() => lag.stop())

/** Waits until LoopLag has taken a few samples of the event loop, one every 100 ms. */
const turns = () => new Promise(resolve => setTimeout(resolve, 300))

function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Returns a LoopLag over a fake event loop. `look` adds a sample that is `late` ms late. */
function fake(): { faked: LoopLag; look(late: number): void } {
  const looks = createHistogram()
  const faked = new LoopLag(TOLERANCE, Object.assign(looks, { enable: () => true, disable: () => true }))
  return { faked, look: late => looks.record(Math.round((100 + late) * 1e6)) }
}

test('`wasLate` returns true exactly one time after the event loop was blocked for longer than the tolerance', async () => {
  await turns()
  expect(lag.wasLate()).toBe(false)
  block(1.5 * TOLERANCE)
  await turns()
  expect(lag.wasLate()).toBe(true)
  expect(lag.wasLate()).toBe(false)
  expect(lag.histogram().sum).toBeGreaterThanOrEqual(TOLERANCE)
})

test('`wasLate` also reports a delay that begins directly after the previous call', async () => {
  await turns()
  expect(lag.wasLate()).toBe(false)
  block(1.5 * TOLERANCE)
  await turns()
  expect(lag.wasLate()).toBe(true)
})

test('the histogram counts every sample by its delay, and a call of `wasLate` does not change the histogram', () => {
  const { faked, look } = fake()
  const counted = () => faked.histogram().counts.reduce((sum, count) => sum + count, 0)
  const { bounds } = faked.histogram()
  const late = () =>
    faked
      .histogram()
      .counts.slice(bounds.indexOf(500) + 1)
      .reduce((sum, count) => sum + count, 0)
  for (let i = 0; i < 3; i++) look(0)
  expect([counted(), late()]).toEqual([3, 0])
  look(1.5 * TOLERANCE)
  expect([counted(), late()]).toEqual([4, 1])
  const before = faked.histogram()
  expect(faked.wasLate()).toBe(true)
  expect(faked.histogram()).toEqual(before)
  for (const ms of [0, 1.5 * TOLERANCE, 0]) look(ms)
  expect([counted(), late()]).toEqual([7, 2])
  expect(faked.histogram().sum).toBeGreaterThan(2.5 * TOLERANCE)
})

test('the sum of delays stays below the tolerance while the event loop does not lag', () => {
  const { counts, sum } = lag.histogram()
  expect(sum).toBeLessThan(TOLERANCE)
  expect(counts.length).toBe(lag.histogram().bounds.length + 1)
})

test('the sum of delays does not decrease when an early sample follows a late sample', () => {
  const { faked, look } = fake()
  look(60)
  const late = faked.histogram().sum
  expect(late).toBeGreaterThan(59)
  look(-60)
  expect(faked.histogram().sum).toBe(late)
  for (let i = 0; i < 3; i++) {
    look(60)
    look(-60)
  }
  // A delay of 60 ms counts as at least 50 ms, the lower bound of its bucket.
  expect(faked.histogram().sum).toBeGreaterThanOrEqual(4 * 50)
})
