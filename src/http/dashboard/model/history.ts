/** The data of the plots: one point a second for ten minutes, and each outage of the leader. Times are in ms. */

/** The largest number of points that the history keeps. */
export const MOST_POINTS = 600
/** The largest number of outages that the history keeps. */
const MOST_OUTAGES = 100
/** In ms: a longer time without a point appears as a gap in the plot, because the data is unknown. */
const GAP_MS = 5_000

export interface Point {
  at: number
  /** The throughput in chunks a second. Null when the throughput is unknown. */
  rate: number | null
}

export function withPoint(points: readonly Point[], point: Point): readonly Point[] {
  const last = points.at(-1)
  const gap = last !== undefined && point.at - last.at > GAP_MS ? [{ at: last.at + 1, rate: null }] : []
  return [...points, ...gap, point].slice(-MOST_POINTS)
}

/** An outage: a time in which the cluster had no leader. */
export interface Outage {
  from: number
  /** When the outage began, by the peer's clock. Undefined if the page did not observe the beginning. */
  since: number | undefined
  /** The duration of the outage as the peer reports it, in ms. Undefined while the outage lasts. */
  ms: number | undefined
}

export function outageBegins(outages: readonly Outage[], from: number, since?: number): readonly Outage[] {
  if (isOut(outages)) return outages
  return [...outages, { from, since, ms: undefined }].slice(-MOST_OUTAGES)
}

/** @param until - the end of the outage by the peer's clock; undefined if the peer did not report the end */
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
