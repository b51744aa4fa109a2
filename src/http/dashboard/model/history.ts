/** The data of the plots: one point a second for ten minutes, and each time without a leader. Times are in ms. */

/** The number of points that are kept. */
export const MOST_POINTS = 600
/** The number of outages that are kept. */
const MOST_OUTAGES = 100
/** A longer time without a point, in ms, is a gap in the plot, because the data is unknown. */
const GAP_MS = 5_000

export interface Point {
  at: number
  /** Chunks a second; null when unknown. */
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
  /** When the outage began by the peer's clock; undefined: before the first report of it. */
  since: number | undefined
  /** The duration of the outage as the peer reports it, in ms; undefined while it lasts. */
  ms: number | undefined
}

export function outageBegins(outages: readonly Outage[], from: number, since?: number): readonly Outage[] {
  if (isOut(outages)) return outages
  return [...outages, { from, since, ms: undefined }].slice(-MOST_OUTAGES)
}

/** @param until - the end by the peer's clock; undefined: only the page noticed the end */
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
