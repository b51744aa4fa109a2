import { expect, test } from 'vitest'
import { LeaseClock } from '../../src/election/lease-clock.ts'

function machine() {
  const now = { monotonic: 1_000, uptime: 50_000, wall: 1_700_000_000_000 }
  const clock = new LeaseClock({ monotonic: () => now.monotonic, uptime: () => now.uptime, wall: () => now.wall })
  const start = clock.times()
  return {
    /** Advances all clocks, or only the named clocks. */
    pass: (ms: number, clocks: Array<keyof typeof now> = ['monotonic', 'uptime', 'wall']) => {
      for (const name of clocks) now[name] += ms
    },
    since: () => {
      const { monotonic, elapsed } = clock.times()
      return { monotonic: monotonic - start.monotonic, elapsed: elapsed - start.elapsed }
    }
  }
}

test('both times advance while all clocks run', () => {
  const { pass, since } = machine()
  for (let i = 0; i < 1_000; i++) {
    pass(7)
    since()
  }
  expect(since()).toEqual({ monotonic: 7_000, elapsed: 7_000 })
})

test('the time in which the machine is suspended counts for the holder of a lease, but not for a voter', () => {
  const { pass, since } = machine()
  pass(100)
  pass(60_000, ['uptime', 'wall'])
  expect(since()).toEqual({ monotonic: 100, elapsed: 60_100 })
  pass(100)
  expect(since()).toEqual({ monotonic: 200, elapsed: 60_200 })
})

test('a wall clock set forward shortens a lease, and a wall clock set back does not prolong it', () => {
  const { pass, since } = machine()
  pass(3_600_000, ['wall'])
  expect(since().elapsed).toBe(3_600_000)
  pass(-3_600_000, ['wall'])
  expect(since().elapsed).toBe(3_600_000)
  pass(500)
  expect(since()).toEqual({ monotonic: 500, elapsed: 3_600_500 })
  pass(1_000, ['uptime'])
  expect(since().elapsed).toBe(3_601_500)
})

test('the rounding errors of a coarse uptime do not add up', () => {
  const { pass, since } = machine()
  for (let i = 0; i < 1_000; i++) {
    pass(1, ['monotonic', 'wall'])
    if (i % 10 === 9) pass(10, ['uptime'])
    since()
  }
  expect(since().elapsed).toBe(1_000)
})

test('the wall clock reveals that the machine was suspended, even where the uptime advances in steps of a second', () => {
  const start = { monotonic: 1_234.5, wall: 1_700_000_000_000 }
  const now = { passed: 0, slept: 0 }
  const clock = new LeaseClock({
    monotonic: () => start.monotonic + now.passed,
    uptime: () => Math.floor((50_300 + now.passed + now.slept) / 1_000) * 1_000,
    wall: () => start.wall + now.passed + now.slept
  })
  const first = clock.times()
  for (; now.passed < 10_000; now.passed += 7) clock.times()
  expect(clock.times().elapsed - first.elapsed).toBe(now.passed)
  now.slept = 400
  expect(clock.times().elapsed - first.elapsed).toBe(now.passed + 400)
})
