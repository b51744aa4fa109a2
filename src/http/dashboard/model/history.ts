/** What the plots show: one point a second for ten minutes, and each time without a leader. Times are in ms. */

/** How many points are kept. */
export const MOST_POINTS = 600
/** How many times without a leader are kept. */
const MOST_OUTAGES = 100
/** Where no point came for longer, nobody knows what was. */
const GAP_MS = 5_000

export interface Point {
  at: number
  /** Chunks a second; null where nobody knows. */
  rate: number | null
}

export function withPoint(points: readonly Point[], point: Point): readonly Point[] {
  const last = points.at(-1)
  const gap = last !== undefined && point.at - last.at > GAP_MS ? [{ at: last.at + 1, rate: null }] : []
  return [...points, ...gap, point].slice(-MOST_POINTS)
}

/** A time without a leader. */
export interface Outage {
  from: number
  /** When it began by the peer's clock; undefined: before it was first told of. */
  since: number | undefined
  /** How long it was, as the peer tells; undefined while it lasts. */
  ms: number | undefined
}

export function outageBegins(outages: readonly Outage[], from: number, since?: number): readonly Outage[] {
  if (isOut(outages)) return outages
  return [...outages, { from, since, ms: undefined }].slice(-MOST_OUTAGES)
}

/** @param until - by the peer's clock; undefined: only the page saw that it is over */
export function outageEnds(outages: readonly Outage[], at: number, until?: number): readonly Outage[] {
  const last = outages.at(-1)
  if (last === undefined || last.ms !== undefined) return outages
  const ms = until !== undefined && last.since !== undefined ? until - last.since : at - last.from
  return [...outages.slice(0, -1), { ...last, ms: Math.max(0, ms) }]
}

export function isOut(outages: readonly Outage[]): boolean {
  const last = outages.at(-1)
  return last !== undefined && last.ms === undefined
}
