/**
 * Computes the pace in chunks a second, from samples of the number of done chunks. The pace falls to 0 within seconds
 * when nothing is done, so it suits a view that takes a sample each second; {@link file://./rate.ts} also suits chunks
 * that take minutes.
 */

/** The window of a pace, in ms: long enough to be steady, short enough to follow the cluster. */
const WINDOW_MS = 5_000
/** Samples that span less time than this give no pace, in ms. */
const LEAST_MS = 500

export interface Sample {
  at: number
  done: number
}

/**
 * Adds a sample, and drops those outside the window. A new leader may know of fewer done chunks than the last one: then
 * the pace starts afresh.
 */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (last === undefined || sample.done < last.done) return [sample]
  return [...samples.filter(({ at }) => sample.at - at <= WINDOW_MS), sample]
}

/** The pace in chunks a second; undefined while the samples span too little time. */
export function paceOf(samples: readonly Sample[]): number | undefined {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return undefined
  return ((last.done - first.done) * 1_000) / (last.at - first.at)
}
