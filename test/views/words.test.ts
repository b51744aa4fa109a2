import { describe, expect, it } from 'vitest'
import {
  bar,
  compactDuration,
  compactNumber,
  duration,
  durationInSeconds,
  percent,
  preciseDuration,
  rate,
  rateInUnit,
  shortId,
  shortJob,
  timeOfDay
} from '../../src/views/words.ts'

describe('the words of the views', () => {
  it('a short PeerId is the end of the PeerId, and a short job id is the beginning of the UUID', () => {
    expect(shortId('12D3KooWabcdefgh')).toBe('abcdefgh')
    const ids = ['5b7f0d8a-337e-44ce-944b-55b470e13e71', 'nightly-1']
    expect(ids.map(shortJob)).toEqual(['5b7f0d8a', 'nightly-1'])
  })

  it('a duration is given in the unit that fits', () => {
    expect([0, 999, 1_000, 9_940, 60_000, 600_000, 7_200_000, 172_800_000].map(duration)).toEqual([
      '0 ms',
      '999 ms',
      '1.0 s',
      '9.9 s',
      '60 s',
      '10 min',
      '2 h',
      '2 d'
    ])
    expect([420, 12_300, 600_000].map(durationInSeconds)).toEqual(['0.4 s', '12 s', '10 min'])
    expect([0.42, 12.34, 420].map(preciseDuration)).toEqual(['0.4 ms', '12.3 ms', '420 ms'])
  })

  it('a compact duration has at most six characters, and a compact number at most five', () => {
    expect([0, 59_000, 750_000, 11_100_000, 187_200_000, 8.64e9].map(compactDuration)).toEqual([
      '0s',
      '59s',
      '12m30s',
      '3h05m',
      '2d04h',
      '100d'
    ])
    expect([7.25, 7, 123, 9_999, 12_345, 123_456, 4_500_000].map(compactNumber)).toEqual([
      '7.3',
      '7',
      '123',
      '9999',
      '12.3k',
      '123k',
      '4.5M'
    ])
  })

  it('a rate is given in the unit that fits', () => {
    expect([12_345, 100, 61.24, 1, 0.5, 1 / 60, 0.001].map(rateInUnit)).toEqual([
      '12,345/s',
      '100/s',
      '61.2/s',
      '1.0/s',
      '30/min',
      '1/min',
      '4/h'
    ])
    expect([3.14, 1_234.5].map(rate)).toEqual(['3.1', '1,235'])
  })

  it('the time of day is in the reader’s time zone', () => {
    expect(timeOfDay(new Date(2026, 0, 1, 0, 5, 9).getTime())).toBe('00:05:09')
  })

  it('a percentage and a bar are full only when every chunk is done', () => {
    expect([percent(0, 10), percent(999, 1_000), percent(10, 10), percent(0, 0)]).toEqual([0, 99, 100, 100])
    expect([bar(0, 10, 4), bar(1, 1_000, 4), bar(999, 1_000, 4), bar(10, 10, 4)]).toEqual([
      '░░░░',
      '█░░░',
      '███░',
      '████'
    ])
    expect(bar(0, 0, 2)).toBe('░░')
  })
})
