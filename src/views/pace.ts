/**
 * Computes the pace in chunks a second, from samples of the number of done chunks. The pace falls to 0 within seconds
 * while no chunk is done, so it suits a view that takes a sample each second. {@link file://./rate.ts} also suits
 * chunks that take minutes.
 */

/** The window of a pace, in ms: long enough to be steady, short enough to follow the cluster. */
const WINDOW_MS = 5_000
/** The shortest time that samples must span to give a pace, in ms. */
const LEAST_MS = 500

export interface Sample {
  at: number
  done: number
}

/**
 * Adds a sample, and drops the samples outside the window. When a new leader reports fewer done chunks than the
 * previous leader, the pace starts again from this sample.
 */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (last === undefined || sample.done < last.done) return [sample]
  return [...samples.filter(({ at }) => sample.at - at <= WINDOW_MS), sample]
}

/** Returns the pace in chunks a second; undefined while the samples span too little time. */
export function paceOf(samples: readonly Sample[]): number | undefined {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return undefined
  return ((last.done - first.done) * 1_000) / (last.at - first.at)
}
