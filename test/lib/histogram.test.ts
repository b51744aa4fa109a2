import { expect, test } from 'vitest'
import { HistogramRecorder } from '../../src/lib/histogram.ts'
import fc from '../properties.ts'

test('a histogram counts a value in the first bucket whose bound is not lower, or in the last bucket if every bound is lower', () => {
  const recorder = new HistogramRecorder([1, 10, 100])
  for (const value of [0, 1, 1.5, 10, 100, 101, 1e9]) recorder.record(value)
  expect(recorder.read()).toEqual({
    bounds: [1, 10, 100],
    counts: [2, 2, 1, 2],
    sum: 0 + 1 + 1.5 + 10 + 100 + 101 + 1e9
  })
})

test('a snapshot of a histogram does not change when values are added later', () => {
  const recorder = new HistogramRecorder([1])
  recorder.record(1)
  const before = recorder.read()
  recorder.record(5)
  expect(before).toEqual({ bounds: [1], counts: [1, 0], sum: 1 })
})

test('the sum of two histograms is the histogram of all their values', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200)), fc.array(fc.nat(200)), (a, b) => {
      const [first, second, both] = [0, 0, 0].map(() => new HistogramRecorder([1, 10, 100])) as [
        HistogramRecorder,
        HistogramRecorder,
        HistogramRecorder
      ]
      for (const value of a) first.record(value)
      for (const value of b) second.record(value)
      for (const value of [...a, ...b]) both.record(value)
      first.add(second.read())
      expect(first.read()).toEqual(both.read())
    })
  )
})
