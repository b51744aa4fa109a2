import { describe, expect, it } from 'vitest'
import { FoldPace } from '../../../src/jobs/scheduler/scheduled-job.ts'

/** Folds the allowed number of partials `times` times. Each partial takes `ms` ms. Returns the allowed number for the next fold. */
function fold(pace: FoldPace, ms: number, times: number): number {
  let now = 0
  for (let i = 0; i < times; i++) {
    const { most } = pace
    pace.started(most, now)
    now += most * ms
    pace.ended(now)
  }
  return pace.most
}

describe('the size of a fold', () => {
  it('the size of a fold grows while folds are fast, and shrinks until a slow fold takes about 50 ms', () => {
    const pace = new FoldPace()
    expect(fold(pace, 0.0001, 10)).toBeGreaterThan(100_000)
    expect(fold(pace, 1, 1)).toBe(50)
    expect(fold(pace, 200, 1), 'one is always folded').toBe(1)
    expect(fold(pace, 0.01, 20)).toBeGreaterThan(2_000)
  })

  it('the size of a fold does not change after a fold with fewer partials than allowed', () => {
    const pace = new FoldPace()
    const { most } = pace
    pace.started(3, 0)
    pace.ended(0.001)
    expect(pace.most).toBe(most)
  })
})
