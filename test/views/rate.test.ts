import { describe, expect, it } from 'vitest'
import { Rate } from '../../src/views/rate.ts'

describe('the rate of a job', () => {
  it('the rate is the mean of the last seconds', () => {
    const rate = new Rate()
    for (let at = 0; at <= 10_000; at += 200) rate.add(at / 100, at)
    expect(rate.perSecond(10_000)).toBeCloseTo(10, 0)
    for (let at = 10_200; at <= 20_000; at += 200) rate.add(100 + (at - 10_000) / 10, at)
    expect(rate.perSecond(20_000)).toBeCloseTo(100, 0)
  })

  it('the rate is smooth for chunks that arrive in waves 30 s apart', () => {
    const rate = new Rate()
    for (let wave = 0; wave < 20; wave++) rate.add(8 * wave, 30_000 * wave)
    const rates = [0, 10_000, 29_000].map(later => rate.perSecond(570_000 + later)!)
    for (const perSecond of rates) expect(perSecond).toBeCloseTo(8 / 30, 1)
  })

  it('the rate falls while no chunk arrives', () => {
    const rate = new Rate()
    for (let at = 0; at <= 5_000; at += 100) rate.add(at / 100, at)
    expect(rate.perSecond(50_000)!).toBeLessThan(rate.perSecond(5_000)! / 5)
  })

  it('the rate starts over when the next leader resumes at an earlier chunk', () => {
    const rate = new Rate()
    for (let at = 0; at <= 5_000; at += 100) rate.add(at, at)
    rate.add(4_000, 5_100)
    expect(rate.perSecond(5_100)).toBeUndefined()
    rate.add(4_010, 6_100)
    expect(rate.perSecond(6_100)).toBeCloseTo(10)
  })

  it('the rate estimates the time left only after enough chunks and enough time, and never for a stream', () => {
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

  it('the rate ignores chunks that were done before its first sample', () => {
    const rate = new Rate()
    rate.add(5_000, 0)
    rate.add(5_010, 2_000)
    expect(rate.perSecond(2_000)).toBe(5)
  })
})
