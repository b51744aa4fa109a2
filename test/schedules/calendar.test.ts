import { describe, expect, it } from 'vitest'
import { loadCalendars } from '../../src/schedules/calendar.ts'
import type { Calendar } from '../../src/schedules/core/types.ts'
import fc from '../properties.ts'

const calendars = await loadCalendars()

function calendarOf(cron: string, timeZone = 'UTC'): Calendar {
  const calendar = calendars(cron, timeZone)
  if ('problem' in calendar) throw new Error(calendar.problem)
  return calendar
}

function problemOf(cron: string, timeZone = 'UTC'): string | undefined {
  const calendar = calendars(cron, timeZone)
  return 'problem' in calendar ? calendar.problem : undefined
}

/** Returns the due times after `from`, up to and including `to`. */
function between(calendar: Calendar, from: number, to: number): number[] {
  const dues: number[] = []
  for (let due = calendar.next(from); due !== undefined && due <= to; due = calendar.next(due)) dues.push(due)
  return dues
}

/** Returns the first `count` due times after `after`, without the seconds. */
function dues(cron: string, timeZone: string, after: string, count: number): string[] {
  const calendar = calendarOf(cron, timeZone)
  const found: string[] = []
  let at = Date.parse(after)
  while (found.length < count) {
    at = calendar.next(at)!
    found.push(new Date(at).toISOString().slice(0, 16))
  }
  return found
}

describe('a time that clocks skip', () => {
  it('is due once, right after the gap', () => {
    expect(dues('30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:00',
      '2026-03-30T00:30'
    ])
  })

  it('is due once together with all others of the gap', () => {
    expect(dues('*/15 2 * * *', 'Europe/Berlin', '2026-03-28T02:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:00'
    ])
  })

  it('is due once together with a time right after the gap', () => {
    expect(dues('0 2,3 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 3)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:00',
      '2026-03-30T01:00'
    ])
  })

  it('is due right after midnight where clocks skip midnight', () => {
    expect(dues('0 0 * * *', 'America/Santiago', '2026-09-05T12:00:00Z', 2)).toEqual([
      '2026-09-06T04:00',
      '2026-09-07T03:00'
    ])
  })

  it('is due after a gap of half an hour', () => {
    expect(dues('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', 2)).toEqual([
      '2026-10-03T15:30',
      '2026-10-04T15:15'
    ])
  })
})

describe('a yearly time', () => {
  it('is found on the day of the change, from a season before', () => {
    expect(dues('30 2 29 3 *', 'Europe/Berlin', '2025-06-01T00:00:00Z', 1)).toEqual(['2026-03-29T01:00'])
    expect(dues('30 2 25 10 *', 'Europe/Berlin', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-10-25T00:30'])
  })
})

describe('a time that clocks repeat', () => {
  it('is due the first time only', () => {
    expect(dues('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30'
    ])
  })

  it('is due the first time only if the expression names each minute of it', () => {
    expect(dues('*/30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T00:30',
      '2026-10-26T01:00'
    ])
  })

  it('is due the first time only where clocks go back by half an hour', () => {
    expect(dues('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00:00Z', 2)).toEqual([
      '2026-04-04T14:45',
      '2026-04-05T15:15'
    ])
  })
})

describe('an expression for every hour', () => {
  it('goes on by the time that passes when clocks are set back', () => {
    expect(dues('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 4)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
      '2026-10-25T03:00'
    ])
  })

  it('goes on by the time that passes when clocks are set forward', () => {
    expect(dues('30 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', 3)).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:30',
      '2026-03-29T02:30'
    ])
  })
})

describe('the due times', () => {
  it('of 29 February are in leap years only', () => {
    expect(dues('0 12 29 2 *', 'Europe/Berlin', '2026-01-01T00:00:00Z', 2)).toEqual([
      '2028-02-29T11:00',
      '2032-02-29T11:00'
    ])
    expect(dues('0 12 29 2 *', 'UTC', '2096-03-01T00:00:00Z', 1)).toEqual(['2104-02-29T12:00'])
  })

  it('of six fields have seconds', () => {
    expect(calendarOf('*/20 * * * * *').next(Date.parse('2026-01-01T00:00:00.500Z'))).toBe(
      Date.parse('2026-01-01T00:00:20Z')
    )
  })

  it('are later than a time that is due itself', () => {
    const due = Date.parse('2026-01-01T03:00:00Z')
    expect(calendarOf('0 3 * * *').next(due - 1)).toBe(due)
    expect(calendarOf('0 3 * * *').next(due)).toBe(due + 24 * 3_600_000)
  })

  it('do not depend on the order in which they are asked for', () => {
    const calendar = calendarOf('30 2 * * *', 'Europe/Berlin')
    const times = ['2026-10-25T00:00:00Z', '2026-03-29T00:00:00Z', '2027-03-28T00:00:00Z', '2026-03-29T00:00:00Z']
    const answers = times.map(time => calendar.next(Date.parse(time)))
    expect(answers).toEqual(times.map(time => calendarOf('30 2 * * *', 'Europe/Berlin').next(Date.parse(time))))
  })
})

describe('an expression without due times', () => {
  it.each([
    ['0 0 30 2 *', /never due/],
    ['0 0 31 4,6,9,11 *', /never due/],
    ['* * * *', /must have five fields/],
    ['* * * * * * *', /must have five fields/],
    ['', /must have five fields/],
    ['@daily', /must have five fields/],
    ['2030-01-23T00:00:00', /must have five fields/],
    ['61 * * * *', /minute: 61/],
    ['a b c d e', /wrong/],
    ['? * * * *', /question mark/]
  ])('%s has a problem that says why', (cron, problem) => {
    expect(problemOf(cron)).toMatch(problem)
  })

  it.each(['Mars/Olympus', '', 'Europe'])('has a problem if the time zone %s is unknown', timeZone => {
    expect(problemOf('* * * * *', timeZone)).toMatch(/time zone .* is unknown: use an IANA name/)
  })
})

// The reference steps through the minutes around a change of the clocks, and reads each clock.

const MINUTE = 60_000
const CHANGES = [
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['America/Santiago', '2026-09-06T04:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Asia/Kolkata', '2026-06-01T00:00:00Z']
] as const
const AROUND = 6 * 60 * MINUTE

interface Expression {
  minutes: number[]
  /** Undefined: every hour. */
  hours: number[] | undefined
}

function clockOf(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return time => {
    const [, day, month, year, hour, minute] = /(\d+)\/(\d+)\/(\d+), (\d+):(\d+)/.exec(format.format(time))!.map(Number)
    return Date.UTC(year!, month! - 1, day, hour, minute)
  }
}

function reference({ minutes, hours }: Expression, timeZone: string, from: number, to: number): number[] {
  const clock = clockOf(timeZone)
  const matches = (shown: number): boolean => {
    const date = new Date(shown)
    return minutes.includes(date.getUTCMinutes()) && (hours === undefined || hours.includes(date.getUTCHours()))
  }
  const found: number[] = []
  let latest = clock(from - AROUND) - MINUTE
  for (let time = from - AROUND; time <= to; time += MINUTE) {
    const shown = clock(time)
    const skipped = Array.from(
      { length: Math.max(0, (shown - latest) / MINUTE - 1) },
      (_, i) => shown - (i + 1) * MINUTE
    )
    const isFirst = shown > latest
    const isDue = hours === undefined ? matches(shown) : isFirst && (matches(shown) || skipped.some(matches))
    latest = Math.max(latest, shown)
    if (isDue && time > from) found.push(time)
  }
  return found
}

const some = (most: number) => fc.uniqueArray(fc.nat({ max: most }), { minLength: 1, maxLength: 5 })

describe('around each change of the clocks', () => {
  it('due times are those at which the clocks show them first', () => {
    const expression = fc.record({ minutes: some(59), hours: fc.option(some(23), { nil: undefined }) })
    const property = fc.property(expression, fc.constantFrom(...CHANGES), (drawn, [timeZone, at]) => {
      const { minutes, hours } = drawn
      const calendar = calendarOf(`${minutes.join()} ${hours?.join() ?? '*'} * * *`, timeZone)
      const [from, to] = [Date.parse(at) - AROUND, Date.parse(at) + AROUND]
      expect(between(calendar, from, to)).toEqual(reference(drawn, timeZone, from, to))
    })
    fc.assert(property, { numRuns: 60 })
  })
})

describe('at any time', () => {
  it('the next due time is a whole second after the given time, and none is left out', () => {
    const cron = fc.constantFrom('* * * * * *', '*/7 3 * * *', '0 0 29 2 *', '30 2 * * 0', '0 0 1 1,7 *')
    const time = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2090, 0) })
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Africa/Casablanca', 'Asia/Kathmandu')
    const property = fc.property(cron, zone, time, fc.nat(), (cron, timeZone, at, share) => {
      const calendar = calendarOf(cron, timeZone)
      const due = calendar.next(at)!
      expect(due).toBeGreaterThan(at)
      expect(due % 1_000).toBe(0)
      const middle = at + (share % (due - at))
      expect(calendar.next(middle)).toBe(due)
    })
    fc.assert(property, { numRuns: 100 })
  })
})
