/**
 * Parsers of option values. Each parser takes text and returns the checked value, or throws an InvalidOptionError with
 * the reason.
 */
import { InvalidArgumentError } from 'commander'
import { InvalidOptionError } from '../../common/errors.ts'
import { checkLimit, type Limits } from '../../common/limits.ts'
import { didYouMean } from './nearest.ts'

/** The longest timer of Node, in ms: 2^31 − 1, about 24 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** The last time of a Date, in ms since the Unix epoch. */
const LAST_TIME_MS = 8.64e15

/** Stands for the missing value of an option that is given without its optional value. */
export const WITHOUT_VALUE = ''

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** Adapts a parser to commander. Commander puts the name of the option or of its variable before the error message. */
export function forCommander<T>(parse: (text: string, previous?: T) => T): (text: string, previous?: T) => T {
  return (text, previous) => {
    try {
      return parse(text, previous)
    } catch (error) {
      if (error instanceof InvalidOptionError) throw new InvalidArgumentError(error.message)
      throw error
    }
  }
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return text => {
    const value = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN
    if (!(value >= least && value <= most)) {
      throw new InvalidOptionError(`It must be a whole number from ${least} to ${most}.`)
    }
    return value
  }
}

/** Like {@link wholeNumber}, but returns true when the option has no value. */
export function optionalNumber(least: number, most: number): (text: string) => number | true {
  const parse = wholeNumber(least, most)
  return text => (text === WITHOUT_VALUE ? true : parse(text))
}

/** Parses `500ms`, `10s`, `2m` or `1h` into ms; a bare number counts seconds. */
export function duration(text: string): number {
  return durationWithin(text, LONGEST_TIMER_MS)
}

/** Parses the time from now until a date. No timer runs for so long, so that the date is the only bound. */
export function timeFromNow(text: string): number {
  return durationWithin(text, LAST_TIME_MS - Date.now())
}

function durationWithin(text: string, most: number): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text.trim())
  const value = match === null ? Number.NaN : Number(match[1]) * UNITS[match[2] ?? 's']!
  if (!(value <= most)) throw new InvalidOptionError('It must be a duration, such as 500ms, 10s or 2m.')
  return value
}

/** Parses a duration of at least a millisecond, in whole ms. */
export function timeLimit(text: string): number {
  const ms = Math.round(duration(text))
  if (ms < 1) throw new InvalidOptionError('It must be a duration of at least 1ms, such as 500ms, 10s or 2m.')
  return ms
}

/** Parses a duration of at most `most` ms, in whole ms. */
export function durationUpTo(most: number): (text: string) => number {
  return text => {
    const ms = Math.round(duration(text))
    if (ms > most) throw new InvalidOptionError(`It must be at most ${most / UNITS.h!}h.`)
    return ms
  }
}

/** Parses a date and time in the form of ISO 8601. Without an offset it is the local time of this machine. */
export function futureTime(text: string): Date {
  const [, day, time, offset = ''] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/i.exec(text.trim()) ?? []
  const at = new Date(`${day}T${time}${offset}`)
  // The parser of Date turns 30 February into 2 March.
  const isDay = day !== undefined && new Date(Date.parse(day) || 0).toISOString().startsWith(day)
  if (!isDay || Number.isNaN(at.getTime()))
    throw new InvalidOptionError('It must be a date and time, such as 2030-11-28T03:00 or 2030-11-28T03:00Z.')
  if (at.getTime() <= Date.now())
    throw new InvalidOptionError(`It must be in the future, and ${at.toISOString()} has passed.`)
  return at
}

export function jobId(shown: string): string {
  // A table may show a shortened id that ends with an ellipsis.
  const text = shown.replace(/…$/, '')
  if (!/^[A-Za-z0-9._:@-]{1,128}$/.test(text)) {
    throw new InvalidOptionError("a job's id has 1 to 128 characters out of A-Z a-z 0-9 . _ : @ -")
  }
  return text
}

export function clusterName(text: string): string {
  if (!/^[A-Za-z0-9._-]{1,63}$/.test(text)) {
    throw new InvalidOptionError('A cluster name has 1 to 63 characters out of A-Z a-z 0-9 . _ -')
  }
  return text
}

export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidOptionError('It must not be empty.')
  return text.trim()
}

/** Parses a list: the option may be repeated, and its environment variable separates the values with commas. */
export function list(text: string, previous: string[] = []): string[] {
  const values = text
    .split(',')
    .map(value => value.trim())
    .filter(value => value !== '')
  if (values.length === 0) throw new InvalidOptionError('It must not be empty.')
  return [...previous, ...values]
}

/** Parses `KEY=VALUE` pairs, repeated or separated by commas. */
export function tags(text: string, previous: Record<string, string> = {}): Record<string, string> {
  const result = { ...previous }
  for (const pair of list(text)) {
    const equals = pair.indexOf('=')
    if (equals < 1) throw new InvalidOptionError(`A tag is KEY=VALUE, which ${JSON.stringify(pair)} is not.`)
    result[pair.slice(0, equals)] = pair.slice(equals + 1)
  }
  return result
}

/** Parses `NAME=VALUE` pairs of limits, repeated or separated by commas. */
export function limitValues(text: string, previous: Partial<Limits> = {}): Partial<Limits> {
  const pairs = list(text).map(pair => {
    const [, name, digits] = /^([^=]+)=\s*(\d+)$/.exec(pair) ?? []
    if (name === undefined)
      throw new InvalidOptionError(`A limit is NAME=VALUE with a whole number, which ${JSON.stringify(pair)} is not.`)
    const limit = checkLimit(name.trim(), Number(digits))
    return [limit.name, limit.value]
  })
  return { ...previous, ...Object.fromEntries(pairs) }
}

/** A parser that accepts one of several words. The completion and the suggestions read the list of these words. */
export interface ChoiceParser<T extends string> {
  (text: string): T
  readonly choices: readonly T[]
}

export function oneOf<T extends string>(choices: readonly T[]): ChoiceParser<T> {
  const parse = (text: string): T => {
    const found = choices.find(value => value === text)
    if (found !== undefined) return found
    throw new InvalidOptionError(`It must be one of ${choices.join(', ')}.${didYouMean(text, choices)}`)
  }
  return Object.assign(parse, { choices })
}

/** Parses JSON. The value is wrapped in an object, because `null` and `false` are valid values. */
export function json(text: string): { value: unknown } {
  try {
    return { value: JSON.parse(text) }
  } catch (cause) {
    throw new InvalidOptionError(`It is not JSON: ${(cause as Error).message}.`, { cause })
  }
}

/**
 * Returns whether the text of an environment variable means "on"; undefined if the text means neither "on" nor "off".
 */
export function switchOf(text: string): boolean | undefined {
  if (/^(1|true|yes|on)$/i.test(text)) return true
  return /^(|0|false|no|off)$/i.test(text) ? false : undefined
}

/** Whether an environment variable switches a flag on. */
export function switchedOn(name: string, text: string): boolean {
  const on = switchOf(text)
  if (on !== undefined) return on
  throw new InvalidOptionError(`${name} must be 1 or 0 (true or false), not ${JSON.stringify(text)}`)
}
