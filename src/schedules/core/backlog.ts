import type { Calendar } from './types.ts'

/** The most due times that are counted one by one. A schedule of every second has more after a quarter of an hour without a leader. */
const COUNTED = 1_000
/** How often the interval with the newest due times is halved, once they are known to be in it. */
const HALVED = 10

/** The due times of an interval. */
export interface Backlog {
  /** The newest due times, in ascending order. */
  dues: number[]
  count: number
  /** Whether there are more due times than `count`. */
  atLeast: boolean
}

/** Returns the due times after `after` up to `until`, but only the newest `most` of them. */
export function backlogOf(calendar: Calendar, after: number, until: number, most: number): Backlog {
  const dues = duesOf(calendar, after, until, COUNTED)
  const rest = dues.length < COUNTED ? [] : newestOf(calendar, dues.at(-1)!, until, most)
  return {
    dues: [...dues, ...rest].slice(-most),
    count: dues.length + rest.length,
    atLeast: rest.length === most
  }
}

function duesOf(calendar: Calendar, after: number, until: number, most: number): number[] {
  const dues: number[] = []
  for (let due = calendar.next(after); due !== undefined && due <= until; due = calendar.next(due)) {
    dues.push(due)
    if (dues.length === most) break
  }
  return dues
}

/** Searches backwards for a start from which `most` due times follow, so that a gap of years does not cost more than a gap of hours. */
function newestOf(calendar: Calendar, after: number, until: number, most: number): number[] {
  const isEnough = (start: number): boolean => duesOf(calendar, start, until, most).length === most
  let span = 1_000
  while (until - span > after && !isEnough(until - span)) span *= 2
  let [low, high] = [Math.max(after, until - span), until - span / 2]
  for (let i = 0; i < HALVED && high - low > 1_000; i++) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) low = middle
    else high = middle
  }
  return duesOf(calendar, low, until, Number.POSITIVE_INFINITY).slice(-most)
}
