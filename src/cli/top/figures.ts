/** Figures as short as a narrow column needs them. */

/** `7.2`, `123`, `12.3k`, `4.5M`: at most five cells. */
export function short(value: number): string {
  if (value < 10 && !Number.isInteger(value)) return value.toFixed(1)
  if (value < 9_999.5) return value.toFixed(0)
  if (value < 999_500) return `${(value / 1_000).toFixed(value < 99_950 ? 1 : 0)}k`
  if (value < 999_500_000) return `${(value / 1_000_000).toFixed(value < 99_950_000 ? 1 : 0)}M`
  return `${(value / 1_000_000_000).toFixed(1)}G`
}

/** A span of ms: `7s`, `12m30s`, `3h05m`, `2d04h`; at most six cells for a century. */
export function clock(ms: number): string {
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

/** The time of day, by this machine's clock. */
export function timeOfDay(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}
