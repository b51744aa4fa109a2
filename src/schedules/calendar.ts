/** Computes the due times of cron expressions with croner, which is loaded when the first schedule needs it. */
import type { Calendar } from './core/types.ts'

/** Returns the due times of an expression in an IANA time zone, or why it has none. */
export type Calendars = (cron: string, timeZone: string) => Calendar | { problem: string }

export async function loadCalendars(): Promise<Calendars> {
  const { Cron } = await import('croner')
  return (cron, timeZone) => {
    if (!isTimeZone(timeZone))
      return {
        problem: `the time zone ${JSON.stringify(timeZone)} is unknown: use an IANA name, such as Europe/Berlin`
      }
    // A question mark stands for the present time in croner, so each leader would compute other due times.
    const problem = cron.includes('?') ? 'it has a question mark: use * instead' : undefined
    try {
      if (problem !== undefined) throw new TypeError(problem)
      const expression = new Cron(cron, { timezone: timeZone, mode: '5-or-6-parts' })
      const calendar: Calendar = { next: after => expression.nextRun(new Date(after))?.getTime() }
      if (calendar.next(Date.now()) !== undefined) return calendar
      return { problem: `the cron expression ${JSON.stringify(cron)} is never due` }
    } catch (error) {
      return { problem: `the cron expression ${JSON.stringify(cron)} is wrong: ${(error as Error).message}` }
    }
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name !== ''
  } catch {
    return false
  }
}
