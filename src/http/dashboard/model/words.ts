/** How ids, times and numbers are shown. */

/** All PeerIds begin alike; their ends tell them apart. */
export function shortId(id: string): string {
  return id.slice(-8)
}

/** A job's id may be a word of its owner's, or a UUID, of which the beginning tells it apart. */
export function shortJob(id: string): string {
  return /^[\da-f]{8}-[\da-f]{4}-/.test(id) ? id.slice(0, 8) : id
}

/** A span of time in ms, in the unit that fits. */
export function span(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} d`
}

/** The same, where what is below a second matters. */
export function shortSpan(ms: number): string {
  return ms < 1_000 ? `${Math.round(Math.max(0, ms))} ms` : span(ms)
}

const NUMBERS = new Intl.NumberFormat('en-US')

export function number(amount: number): string {
  return NUMBERS.format(amount)
}

/** `1 chunk`, `2 chunks`. */
export function count(amount: number, noun: string): string {
  return `${number(amount)} ${noun}${amount === 1 ? '' : 's'}`
}

/** Chunks a second: with a tenth where there are few. */
export function rate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : number(Math.round(perSecond))
}

/** The time of day of ms since the epoch, where the reader is. */
export function clock(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(part => String(part).padStart(2, '0')).join(':')
}
