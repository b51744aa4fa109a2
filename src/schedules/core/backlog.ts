import type { Calendar } from './types.ts'

/** The most due times that are counted one by one. A schedule of every second has more after a quarter of an hour without a leader. */
const COUNTED = 1_000

/** The due times of an interval. */
export interface Backlog {
  /** The newest due times, in ascending order. */
  dues: number[]
  count: number
  /** Whether there are more due times than `count`. */
  atLeast: boolean
}

/** Returns the due times after `after` up to `until`: at most the newest `most` of them, which is at most {@link COUNTED}. */
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

/** Searches for the latest start from which `most` due times follow, so that a gap of years costs a few thousand steps. */
function newestOf(calendar: Calendar, after: number, until: number, most: number): number[] {
  let [low, high] = [after, until]
  let found = duesOf(calendar, low, until, most)
  if (found.length < most) return found
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const dues = duesOf(calendar, middle, until, most)
    if (dues.length === most) [low, found] = [middle, dues]
    else high = middle
  }
  return found
}
