import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { OutcomeRetention } from '../../../src/jobs/leader/outcome-retention.ts'

const MIB = 2 ** 20
let dropped: string[]
let retention: OutcomeRetention

beforeEach(() => {
  vi.useFakeTimers()
  dropped = []
  retention = new OutcomeRetention({ onDrop: job => dropped.push(job), onForget: () => {} })
})

afterEach(() => {
  retention.stop()
  vi.useRealTimers()
})

describe('outcomes', () => {
  it('outcomes are kept for the requested time, each by itself', () => {
    retention.keep('day', 1, 24 * 3_600_000)
    retention.keep('minute', 1, 60_000)
    vi.advanceTimersByTime(59_999)
    expect(dropped).toEqual([])
    vi.advanceTimersByTime(1)
    expect(dropped).toEqual(['minute'])
    vi.advanceTimersByTime(24 * 3_600_000)
    expect(dropped).toEqual(['minute', 'day'])
  })

  it('outcomes are not kept at all with a time of 0', () => {
    retention.keep('now', 1, 0)
    expect(dropped).toEqual(['now'])
  })

  it('outcomes are dropped above the limit, soonest expiry first, never the newest', () => {
    retention.keep('day', 1, 24 * 3_600_000)
    for (let i = 0; i < 63; i++) retention.keep(`minutes ${i}`, 1, 600_000 + i)
    expect(dropped).toEqual([])
    retention.keep('second', 1, 1_000)
    expect(dropped).toEqual(['minutes 0'])
    retention.keep('week', 1, 7 * 24 * 3_600_000)
    expect(dropped).toEqual(['minutes 0', 'second'])
  })

  it('outcomes are dropped above the limit of bytes, but the newest is kept whatever its size', () => {
    retention.keep('day', 200 * MIB, 24 * 3_600_000)
    retention.keep('minute', 50 * MIB, 60_000)
    retention.keep('hour', 50 * MIB, 3_600_000)
    expect(dropped).toEqual(['minute'])
    retention.keep('huge', 300 * MIB, 1_000)
    expect(dropped).toEqual(['minute', 'hour', 'day'])
  })
})
