import { describe, expect, it } from 'vitest'
import { doneLine, type JobView, jobLine } from '../../../src/cli/jobs/job-line.ts'
import { textWidth } from '../../../src/cli/terminal/text-width.ts'

const view: JobView = {
  noun: 'chunk',
  done: 210,
  total: 512,
  rate: 61.24,
  msLeft: 4_930,
  computing: '4 peers',
  retries: 2,
  speculated: 0,
  elapsed: 3_430
}

describe('the line of a job', () => {
  it('the line of a job shows progress, rate, time left, workers and retries within 80 columns', () => {
    const line = jobLine(view, 79)
    expect(line).toContain('41%  210/512 chunks · 61.2/s · 5 s left · 4 peers · 2 retries · 3.4 s')
    expect(line).toMatch(/^█+░+ /)
    expect(textWidth(line)).toBeLessThanOrEqual(79)
  })

  it('the bar in the line of a job takes the spare width, from 8 to 30 columns', () => {
    const widths = [79, 90, 200].map(columns => jobLine(view, columns).indexOf(' '))
    expect(widths[0]).toBeGreaterThanOrEqual(8)
    expect(widths[1]).toBeGreaterThan(widths[0]!)
    expect(widths[2]).toBe(30)
    expect(jobLine(view, 72)).toMatch(/^41%/)
  })

  it('on a narrow terminal, the line of a job drops whole parts, and keeps the most important parts', () => {
    expect(jobLine(view, 60)).toBe('41%  210/512 · 61.2/s · 5 s left · 4 peers · 2 retries')
    expect(jobLine(view, 40)).toBe('41%  210/512 · 61.2/s · 5 s left')
    expect(jobLine(view, 20)).toBe('41%  210/512')
    for (let columns = 10; columns < 120; columns++) {
      expect(textWidth(jobLine(view, columns))).toBeLessThanOrEqual(columns)
    }
  })

  it('the line of a job shows the important parts of a very large job in 80 columns', () => {
    const large = { ...view, done: 1_234_567, total: 12_345_678, rate: 12_345, msLeft: 900_000, computing: '20 peers' }
    expect(jobLine({ ...large, retries: 1_234, speculated: 7 }, 79)).toBe(
      '9%  1,234,567/12,345,678 · 12,345/s · 15 min left · 20 peers · 1,234 retries'
    )
  })

  it('the line of a job shows no percentage or time left while the total is unknown', () => {
    const stream = { ...view, noun: 'line', total: undefined, msLeft: undefined, retries: 0 }
    expect(jobLine(stream, 79)).toBe('210 lines done · 61.2/s · 4 peers · 3.4 s')
    expect(jobLine({ ...stream, rate: undefined, done: 1 }, 79)).toBe('1 line done · 4 peers · 3.4 s')
  })

  it('the line of a job has no bar without a terminal, and shows slow chunks where there is room', () => {
    expect(jobLine({ ...view, retries: 1, speculated: 3 }, Number.POSITIVE_INFINITY)).toBe(
      '41%  210/512 chunks · 61.2/s · 5 s left · 4 peers · 1 retry · 3 slow, started twice · 3.4 s'
    )
  })

  it('the line of a job sums up a finished job in one line', () => {
    expect(doneLine({ noun: 'chunk', amount: 512, computing: '4 peers', retries: 0, elapsed: 8_300 })).toBe(
      '512 chunks · 4 peers · 0 retries · 8.3 s'
    )
    expect(doneLine({ noun: 'line', amount: 1, retries: 1 })).toBe('1 line · 1 retry')
  })
})
