import { describe, expect, it } from 'vitest'
import { bar, doneLine, type JobView, jobLine, rateText } from '../../../src/cli/jobs/job-line.ts'
import { Rate } from '../../../src/cli/jobs/rate.ts'
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
  it('says how far it is, how fast, how long it takes, what computes it and what was tried again, within 80 columns', () => {
    const line = jobLine(view, 79)
    expect(line).toContain('41%  210/512 chunks · 61.2/s · 5 s left · 4 peers · 2 retries · 3.4 s')
    expect(line).toMatch(/^█+░+ /)
    expect(textWidth(line)).toBeLessThanOrEqual(79)
  })

  it('gives the bar what room there is, from 8 columns to 30', () => {
    const widths = [79, 90, 200].map(columns => jobLine(view, columns).indexOf(' '))
    expect(widths[0]).toBeGreaterThanOrEqual(8)
    expect(widths[1]).toBeGreaterThan(widths[0]!)
    expect(widths[2]).toBe(30)
    expect(jobLine(view, 72)).toMatch(/^41%/)
  })

  it('leaves parts out as a whole where there is little room, what is missed most last', () => {
    expect(jobLine(view, 60)).toBe('41%  210/512 · 61.2/s · 5 s left · 4 peers · 2 retries')
    expect(jobLine(view, 40)).toBe('41%  210/512 · 61.2/s · 5 s left')
    expect(jobLine(view, 20)).toBe('41%  210/512')
    for (let columns = 10; columns < 120; columns++) {
      expect(textWidth(jobLine(view, columns))).toBeLessThanOrEqual(columns)
    }
  })

  it('holds all that matters of a very large job in 80 columns', () => {
    const large = { ...view, done: 1_234_567, total: 12_345_678, rate: 12_345, msLeft: 900_000, computing: '20 peers' }
    expect(jobLine({ ...large, retries: 1_234, speculated: 7 }, 79)).toBe(
      '9%  1,234,567/12,345,678 · 12,345/s · 15 min left · 20 peers · 1,234 retries'
    )
  })

  it('promises nothing of what nobody knows', () => {
    const stream = { ...view, noun: 'line', total: undefined, msLeft: undefined, retries: 0 }
    expect(jobLine(stream, 79)).toBe('210 lines done · 61.2/s · 4 peers · 3.4 s')
    expect(jobLine({ ...stream, rate: undefined, done: 1 }, 79)).toBe('1 line done · 4 peers · 3.4 s')
  })

  it('has no bar off a terminal, and tells of slow chunks where there is room', () => {
    expect(jobLine({ ...view, retries: 1, speculated: 3 }, Number.POSITIVE_INFINITY)).toBe(
      '41%  210/512 chunks · 61.2/s · 5 s left · 4 peers · 1 retry · 3 slow, started twice · 3.4 s'
    )
  })

  it('draws a bar that is full at the end and empty at the start', () => {
    expect(bar(0, 10)).toMatch(/^░+$/)
    expect(bar(10, 10)).toMatch(/^█+$/)
    expect(bar(0, 0)).toMatch(/^░+$/)
  })

  it('gives rates in the unit that fits', () => {
    expect([12_345, 100, 61.24, 1, 0.5, 1 / 60, 0.001].map(rateText)).toEqual([
      '12,345/s',
      '100/s',
      '61.2/s',
      '1.0/s',
      '30/min',
      '1/min',
      '4/h'
    ])
  })

  it('sums up in one line what was done', () => {
    expect(doneLine({ noun: 'chunk', amount: 512, computing: '4 peers', retries: 0, elapsed: 8_300 })).toBe(
      '512 chunks · 4 peers · 0 retries · 8.3 s'
    )
    expect(doneLine({ noun: 'line', amount: 1, retries: 1 })).toBe('1 line · 1 retry')
  })
})

describe('the rate of a job', () => {
  it('is the mean of the last seconds', () => {
    const rate = new Rate()
    for (let at = 0; at <= 10_000; at += 200) rate.add(at / 100, at)
    expect(rate.perSecond(10_000)).toBeCloseTo(10, 0)
    for (let at = 10_200; at <= 20_000; at += 200) rate.add(100 + (at - 10_000) / 10, at)
    expect(rate.perSecond(20_000)).toBeCloseTo(100, 0)
  })

  it('is smooth where chunks come in waves of half a minute', () => {
    const rate = new Rate()
    for (let wave = 0; wave < 20; wave++) rate.add(8 * wave, 30_000 * wave)
    const rates = [0, 10_000, 29_000].map(later => rate.perSecond(570_000 + later)!)
    for (const perSecond of rates) expect(perSecond).toBeCloseTo(8 / 30, 1)
  })

  it('falls while nothing comes', () => {
    const rate = new Rate()
    for (let at = 0; at <= 5_000; at += 100) rate.add(at / 100, at)
    expect(rate.perSecond(50_000)!).toBeLessThan(rate.perSecond(5_000)! / 5)
  })

  it('counts anew when the next leader begins after an earlier chunk', () => {
    const rate = new Rate()
    for (let at = 0; at <= 5_000; at += 100) rate.add(at, at)
    rate.add(4_000, 5_100)
    expect(rate.perSecond(5_100)).toBeUndefined()
    rate.add(4_010, 6_100)
    expect(rate.perSecond(6_100)).toBeCloseTo(10)
  })

  it('tells the time that is left only when it is no guess any more, and never of a stream', () => {
    const rate = new Rate()
    rate.add(0, 0)
    rate.add(50, 1_000)
    expect(rate.msLeft(100, 1_000)).toBeUndefined()
    rate.add(60, 2_000)
    expect(rate.msLeft(120, 2_000)).toBeCloseTo(2_000)
    expect(rate.msLeft(undefined, 2_000)).toBeUndefined()
    const slow = new Rate()
    slow.add(0, 0)
    slow.add(4, 60_000)
    expect(slow.msLeft(100, 60_000)).toBeUndefined()
    slow.add(5, 75_000)
    expect(slow.msLeft(100, 75_000)).toBeCloseTo(95 * 15_000)
  })

  it('counts what was done before it was first told of for nothing', () => {
    const rate = new Rate()
    rate.add(5_000, 0)
    rate.add(5_010, 2_000)
    expect(rate.perSecond(2_000)).toBe(5)
  })
})
