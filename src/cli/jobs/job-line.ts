/** The line that shows how a job gets on, as long as a terminal is wide. */
import { bar, count, duration, number, percent as percentOf, rateInUnit } from '../../views/words.ts'
import { textWidth } from '../terminal/text-width.ts'

/** A bar is no longer, so that it moves visibly, and no shorter, so that it says something; in columns. */
const BAR = { least: 8, most: 30 }

export interface JobView {
  /** What is counted: `chunk` or `line`. */
  noun: string
  done: number
  /** Undefined while nobody knows, as of a stream. */
  total: number | undefined
  /** Of `noun` a second; undefined as long as none have come. */
  rate: number | undefined
  /** Until it is over, in ms; undefined as long as that would be a guess. */
  msLeft: number | undefined
  /** What computes it: `3 peers`. */
  computing: string
  retries: number
  speculated: number
  /** Since it began, in ms. */
  elapsed: number
}

/** Whole seconds: nobody can tell it better. */
function timeLeft(ms: number): string {
  return `${ms < 120_000 ? `${Math.ceil(ms / 1_000)} s` : duration(ms)} left`
}

export function retriesText(retries: number): string {
  return retries === 1 ? '1 retry' : `${number(retries)} retries`
}

/** From what is missed least to what is missed most, where a line has no room for all. */
const LEAST_MISSED = ['slow', 'elapsed', 'noun', 'retries', 'computing', 'rate', 'left', 'percent'] as const
type Part = (typeof LEAST_MISSED)[number]

/**
 * One line of at most `columns` columns. Parts that do not fit are left out as a whole, and the bar takes the room that
 * is left.
 */
export function jobLine(view: JobView, columns: number): string {
  const without = new Set<Part>()
  let text = parts(view, without)
  for (const part of LEAST_MISSED) {
    if (textWidth(text) <= columns) break
    without.add(part)
    text = parts(view, without)
  }
  // Off a terminal nothing moves.
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

/** What is said when all is done: `512 chunks · 4 peers · 2 retries · 8.3 s`. */
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
