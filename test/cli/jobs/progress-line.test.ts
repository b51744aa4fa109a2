import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ProgressLine } from '../../../src/cli/jobs/progress-line.ts'

let written = ''

beforeEach(() => {
  vi.useFakeTimers()
  written = ''
  vi.spyOn(process.stderr, 'write').mockImplementation(data => {
    written += String(data)
    return true
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('without a terminal, progress prints no line in the first ten seconds, and later prints lines at growing intervals', () => {
  const progress = new ProgressLine({ interactive: false })
  let line = ''
  const says = (ms: number): string => {
    written = ''
    progress.update(() => line)
    vi.advanceTimersByTime(ms)
    return written
  }
  line = 'one'
  expect(says(9_900)).toBe('')
  line = 'two'
  expect(says(1_000)).toBe('two\n')
  expect(says(9_000)).toBe('')
  expect(says(2_000)).toBe('two\n')
  vi.advanceTimersByTime(1_000_000)
  const lines = says(1_000_000).split('\n').length - 1
  expect(lines).toBeGreaterThan(3)
  expect(lines).toBeLessThan(12)
  written = ''
  progress.conclude('done')
  expect(written).toBe('done\n')
  vi.advanceTimersByTime(1_000_000)
  expect(written).toBe('done\n')
  expect(vi.getTimerCount()).toBe(0)
})

it('without a terminal, a short job, or a job whose reader is a program, prints no progress', () => {
  const short = new ProgressLine({ interactive: false })
  short.update(() => 'one')
  vi.advanceTimersByTime(5_000)
  short.conclude('done')
  const quiet = new ProgressLine({ interactive: false, plain: false })
  quiet.update(() => 'one')
  vi.advanceTimersByTime(500_000)
  quiet.conclude('done')
  expect(written).toBe('')
})

it('on a terminal, the line is redrawn at most every 80 ms, and every second without progress', () => {
  const progress = new ProgressLine({ interactive: true })
  let drawn = 0
  for (let n = 0; n < 1_000; n++) {
    progress.update(columns => {
      drawn += 1
      expect(columns).toBe(79)
      return 'x'
    })
    vi.advanceTimersByTime(1)
  }
  expect(drawn).toBeGreaterThan(9)
  expect(drawn).toBeLessThan(16)
  drawn = 0
  vi.advanceTimersByTime(10_000)
  expect(drawn).toBeGreaterThanOrEqual(10)
  written = ''
  progress.conclude('done')
  expect(written).toBe('\r\u001b[Jdone\n')
  expect(vi.getTimerCount()).toBe(0)
})
