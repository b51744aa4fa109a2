import { describe, expect, it } from 'vitest'
import { paceOf, withSample } from '../../src/views/pace.ts'

describe('a pace', () => {
  it('the pace is the mean chunk rate of the last seconds', () => {
    let samples = withSample([], { at: 0, done: 0 })
    expect(paceOf(samples)).toBeUndefined()
    for (let second = 1; second <= 20; second++) samples = withSample(samples, { at: 1_000 * second, done: 7 * second })
    expect(paceOf(samples)).toBe(7)
    expect(samples.length).toBeLessThan(8)
  })

  it('the pace starts over when a new leader reports fewer chunks', () => {
    const samples = withSample([], { at: 0, done: 7 })
    expect(withSample(samples, { at: 1_000, done: 3 })).toEqual([{ at: 1_000, done: 3 }])
  })
})
