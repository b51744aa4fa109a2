/** Formats ids, numbers, times and bars in the same way for a terminal and the dashboard. */

/** Returns the end of a PeerId, because all PeerIds begin with the same characters. */
export function shortId(id: string): string {
  return id.slice(-8)
}

/** Returns the beginning of a job's id if the id is a UUID. An id that a user chose stays whole. */
export function shortJob(id: string): string {
  return /^[\da-f]{8}-[\da-f]{4}-/.test(id) ? id.slice(0, 8) : id
}

const NUMBERS = new Intl.NumberFormat('en-US')

/** `1,204`. */
export function number(amount: number): string {
  return NUMBERS.format(amount)
}

/** `1 chunk`, `2 chunks`. */
export function count(amount: number, noun: string): string {
  return `${number(amount)} ${noun}${amount === 1 ? '' : 's'}`
}

/** `7.2`, `123`, `12.3k`, `4.5M`: at most five characters below 10^12, for narrow columns. */
export function compactNumber(value: number): string {
  if (value < 10 && !Number.isInteger(value)) return value.toFixed(1)
  if (value < 9_999.5) return value.toFixed(0)
  if (value < 999_500) return `${(value / 1_000).toFixed(value < 99_950 ? 1 : 0)}k`
  if (value < 999_500_000) return `${(value / 1_000_000).toFixed(value < 99_950_000 ? 1 : 0)}M`
  return `${(value / 1_000_000_000).toFixed(1)}G`
}

/** Formats a rate in chunks a second, with one decimal place for a low rate: `3.1`, `1,235`. */
export function rate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : number(Math.round(perSecond))
}

/** `1,204/s`, `12.5/s`, `30/min`, `4/h`: a rate in the unit that fits. */
export function rateInUnit(perSecond: number): string {
  if (perSecond >= 100) return `${number(Math.round(perSecond))}/s`
  if (perSecond >= 1) return `${perSecond.toFixed(1)}/s`
  return perSecond >= 1 / 60 ? `${(perSecond * 60).toFixed(0)}/min` : `${(perSecond * 3_600).toFixed(0)}/h`
}

/** Formats a duration in ms in the unit that fits: `420 ms`, `1.7 s`, `10 min`. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(Math.max(0, ms))} ms` : durationInSeconds(ms)
}

/** Formats a round-trip time in ms, with a tenth of a millisecond below 100 ms. */
export function preciseDuration(ms: number): string {
  return ms < 100 ? `${ms.toFixed(1)} ms` : duration(ms)
}

/**
 * Formats a duration in ms like {@link duration}, but never in milliseconds. The views use this format for times that
 * count up on the screen.
 */
export function durationInSeconds(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} d`
}

/**
 * Formats a duration in ms as `7s`, `12m30s`, `3h05m` or `2d04h`: at most six characters for a century, for narrow
 * columns.
 */
export function compactDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  const two = (value: number): string => String(value).padStart(2, '0')
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m${two(seconds % 60)}s`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours}h${two(minutes % 60)}m`
  const days = Math.floor(hours / 24)
  return days < 100 ? `${days}d${two(hours % 24)}h` : `${days}d`
}

/**
 * The formatter of times. It is created on first use, because the creation takes some milliseconds and most commands
 * show no times.
 */
let times: Intl.DateTimeFormat | undefined

/** Formats a time in ms since the epoch as the time of day in the user's time zone: `14:05:09`. */
export function timeOfDay(at: number): string {
  times ??= new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
  return times.format(at)
}

/**
 * Formats a time in ms since the epoch in a time zone: `2030-11-28 03:00:00`. In UTC, with a `Z`, if this runtime does not know the zone.
 */
export function runTime(at: number, timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(at)
  } catch {
    return `${runTime(at, 'UTC')}Z`
  }
}

/** Returns whole percent, rounded down, so that 100 means that everything is done. */
export function percent(done: number, total: number): number {
  return total === 0 ? 100 : Math.floor((100 * done) / total)
}

/**
 * Draws a bar of `done` out of `total` in `cells` characters, at least 2. A full bar means that everything is done, and
 * an empty bar means that nothing is done.
 */
export function bar(done: number, total: number, cells: number): string {
  const share = total <= 0 ? 0 : Math.min(1, Math.max(0, done / total))
  const rounded = Math.round(share * cells)
  const filled = share < 1 ? Math.min(cells - 1, Math.max(share > 0 ? 1 : 0, rounded)) : rounded
  return '█'.repeat(filled) + '░'.repeat(cells - filled)
}
