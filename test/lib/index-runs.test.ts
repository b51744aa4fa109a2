import { expect, test } from 'vitest'
import { IndexRuns } from '../../src/lib/index-runs.ts'

test('IndexRuns contains exactly the added indices', () => {
  const runs = new IndexRuns()
  for (const index of [0, 1, 2, 7]) runs.add(index, 0)
  expect([0, 1, 2, 7].every(index => runs.mayHave(index))).toBe(true)
  expect([3, 6, 8].some(index => runs.mayHave(index))).toBe(false)
})

test('IndexRuns with 100,000 runs still reports every added index as present, and an unsettled missing index as missing', () => {
  const runs = new IndexRuns()
  for (let index = 0; index < 200_000; index += 2) runs.add(index, Math.max(0, index - 1_000))
  for (let index = 0; index < 200_000; index += 2) expect(runs.mayHave(index)).toBe(true)
  expect(runs.mayHave(199_999)).toBe(false)
})

test('IndexRuns forgets no unsettled index when the same indices are added ten times', () => {
  const runs = new IndexRuns()
  for (let i = 0; i < 100_000; i++) runs.add(300_000 + 2 * (i % 10_000), 0)
  expect(runs.mayHave(300_000)).toBe(true)
  expect(runs.mayHave(300_001)).toBe(false)
})
