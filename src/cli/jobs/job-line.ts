/** The progress line of a job, which fills the width of the terminal. */
import { bar, count, duration, number, percent as percentOf, rateInUnit } from '../../views/words.ts'
import { textWidth } from '../terminal/text-width.ts'

/**
 * The shortest and longest bar, in columns. The shortest bar is still readable, and the longest bar still moves
 * visibly.
 */
const BAR = { least: 8, most: 30 }

export interface JobView {
  /** The unit of progress: `chunk` or `line`. */
  noun: string
  done: number
  /** The total number of units; undefined while the total is unknown, as for a stream. */
  total: number | undefined
  /** The number of units done in a second; undefined before the first unit is done. */
  rate: number | undefined
  /** The estimated time left, in ms; undefined while there is too little data for an estimate. */
  msLeft: number | undefined
  /** The job's computing power, such as `3 peers`. */
  computing: string
  retries: number
  speculated: number
  /** The time since the job began, in ms. */
  elapsed: number
}

/** Formats the time left in whole seconds, because an estimate is not more precise. */
function timeLeft(ms: number): string {
  return `${ms < 120_000 ? `${Math.ceil(ms / 1_000)} s` : duration(ms)} left`
}

export function retriesText(retries: number): string {
  return retries === 1 ? '1 retry' : `${number(retries)} retries`
}

/** The parts of the line. When the line is too long, the first part is dropped first. */
const LEAST_MISSED = ['slow', 'elapsed', 'noun', 'retries', 'computing', 'rate', 'left', 'percent'] as const
type Part = (typeof LEAST_MISSED)[number]

/**
 * Renders one line of at most `columns` columns. A part that does not fit is left out as a whole. The bar takes the
 * spare width.
 */
export function jobLine(view: JobView, columns: number): string {
  const without = new Set<Part>()
  let text = parts(view, without)
  for (const part of LEAST_MISSED) {
    if (textWidth(text) <= columns) break
    without.add(part)
    text = parts(view, without)
  }
  // Without a terminal the line is not redrawn, so a bar would be useless.
  if (view.total === undefined || !Number.isFinite(columns)) return text
  const room = Math.min(BAR.most, columns - textWidth(text) - 1)
  return room < BAR.least ? text : `${bar(view.done, view.total, room)} ${text}`
}

function parts(view: JobView, without: ReadonlySet<Part>): string {
  const { done, total, rate, msLeft, retries, speculated } = view
  const noun = without.has('noun') ? '' : ` ${view.noun}${(total ?? done) === 1 ? '' : 's'}`
  const percent = total === undefined || without.has('percent') ? '' : `${percentOf(done, total)}%  `
  const share = total === undefined ? `${number(done)}${noun} done` : `${number(done)}/${number(total)}${noun}`
  const rest: [Part, string | undefined][] = [
    ['rate', rate === undefined ? undefined : rateInUnit(rate)],
    ['left', msLeft === undefined ? undefined : timeLeft(msLeft)],
    ['computing', view.computing],
    ['retries', retries === 0 ? undefined : retriesText(retries)],
    ['slow', speculated === 0 ? undefined : `${number(speculated)} slow, started twice`],
    ['elapsed', duration(view.elapsed)]
  ]
  const shown = rest.flatMap(([part, text]) => (text === undefined || without.has(part) ? [] : [text]))
  return [`${percent}${share}`, ...shown].join(' · ')
}

/** Returns the final line of a job: `512 chunks · 4 peers · 2 retries · 8.3 s`. */
export function doneLine(done: {
  noun: string
  amount: number
  computing?: string
  retries: number
  elapsed?: number
}): string {
  const { noun, amount, computing, retries, elapsed } = done
  const parts = [
    count(amount, noun),
    computing,
    retriesText(retries),
    elapsed === undefined ? undefined : duration(elapsed)
  ]
  return parts.filter(part => part !== undefined).join(' · ')
}
