/** What the page shows of the schedules. */
import type { WireSchedule } from './wire.ts'

/** The most schedules that the page shows. */
export const MOST_SCHEDULES = 100

/** Returns the schedules that the page shows, those with a problem first. */
export function scheduleRows(schedules: readonly WireSchedule[]): WireSchedule[] {
  const problems = schedules.filter(({ problem }) => problem !== null)
  return [...problems, ...schedules.filter(({ problem }) => problem === null)].slice(0, MOST_SCHEDULES)
}
