/** How ids and times are shown to people. */

/** All PeerIds begin alike; their ends tell them apart. */
export function shortId(id: string): string {
  return id.slice(-8)
}

/** A span of time in ms, in the unit that fits. */
export function span(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} d`
}

/** A span of some ms, to the tenth. */
export function shortSpan(ms: number): string {
  return ms < 100 ? `${ms.toFixed(1)} ms` : span(ms)
}

/** `1 chunk`, `2 chunks`. */
export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString('en-US')} ${noun}${amount === 1 ? '' : 's'}`
}
