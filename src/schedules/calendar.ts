/** Computes the due times of cron expressions. They are parsed by croner, which is loaded when the first schedule needs it. */
import type { Cron } from 'croner'
import { P2pWorkerError } from '../common/errors.ts'
import type { Calendar } from './core/types.ts'
import { type Span, TimeZone } from './time-zone.ts'

/** Returns the due times of an expression in an IANA time zone, or why it has none. */
export type Calendars = (cron: string, timeZone: string) => Calendar | { problem: string }

/** Clocks are never changed by more than this at once, in ms. */
const MOST_CHANGE_MS = 25 * 60 * 60_000

type CronClass = typeof Cron

/**
 * Loads what computes due times. An expression with `*` for the hour goes on by the time that passes when clocks are changed. Any other expression names
 * times of the day: one that clocks skip is due once, when they have skipped it, and one that they repeat is due the first time only.
 */
export async function loadCalendars(): Promise<Calendars> {
  const { Cron } = await import('croner').catch(cause => {
    const message = `croner, which computes the times of schedules, cannot be loaded: install p2p-worker again (${cause.message})`
    throw new P2pWorkerError(message, { cause })
  })
  return (cron, timeZone) => {
    const zone = timeZoneOf(timeZone)
    if (zone === undefined)
      return {
        problem: `the time zone ${JSON.stringify(timeZone)} is unknown: use an IANA name, such as Europe/Berlin`
      }
    const text = JSON.stringify(cron)
    try {
      const calendar = new ZonedCalendar(Cron, fieldsOf(cron), zone)
      return calendar.next(Date.now()) === undefined
        ? { problem: `the cron expression ${text} is never due: use a day that its months have` }
        : calendar
    } catch (error) {
      return { problem: `the cron expression ${text} is wrong: ${(error as Error).message}` }
    }
  }
}

/** @throws TypeError when the expression does not have the right number of fields */
function fieldsOf(cron: string): string[] {
  const fields = cron.trim().split(/\s+/)
  // A question mark stands for the present time in croner, so each leader would compute other due times.
  if (cron.includes('?')) throw new TypeError('it has a question mark: use * instead')
  if (fields.length === 5 || fields.length === 6) return fields
  throw new TypeError(
    'it must have five fields (minute, hour, day of the month, month, day of the week), and may have seconds before them'
  )
}

function timeZoneOf(name: string): TimeZone | undefined {
  try {
    return name === '' ? undefined : new TimeZone(name)
  } catch {
    return undefined
  }
}

class ZonedCalendar implements Calendar {
  readonly #Cron: CronClass
  readonly #cron: string
  readonly #zone: TimeZone
  /** Whether the expression names hours. */
  readonly #hasHours: boolean
  /** The expression for each offset from UTC. This is ten times as fast as an expression with a time zone. */
  readonly #byOffset = new Map<number, Cron>()

  constructor(CronClass: CronClass, fields: string[], zone: TimeZone) {
    this.#Cron = CronClass
    this.#cron = fields.join(' ')
    this.#hasHours = fields.at(-4) !== '*'
    this.#zone = zone
  }

  next(after: number): number | undefined {
    for (let start = after; ; ) {
      const span = this.#zone.spanAt(start + 1)
      const due = this.#nextIn(span, start)
      if (due === undefined || due < span.until) return due
      start = Math.max(span.until - 1, due - MOST_CHANGE_MS)
    }
  }

  /** Returns the next due time after `start`, as if the span had no end. */
  #nextIn(span: Span, start: number): number | undefined {
    const { from, offset, before } = span
    const change = offset - before
    if (this.#hasHours && change > 0 && start < from) {
      // The clocks skip from `from` to `from + change`, as they showed before.
      const skipped = this.#nextBy(before, from - 1)
      if (skipped !== undefined && skipped < from + change) return from
    }
    const repeats = this.#hasHours && change < 0
    return this.#nextBy(offset, repeats ? Math.max(start, from - change - 1) : start)
  }

  #nextBy(offset: number, after: number): number | undefined {
    let cron = this.#byOffset.get(offset)
    if (cron === undefined) {
      cron = new this.#Cron(this.#cron, { utcOffset: offset / 60_000 })
      this.#byOffset.set(offset, cron)
    }
    return cron.nextRun(new Date(after))?.getTime()
  }
}
