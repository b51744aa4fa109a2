/** How fast a job gets on, from what was seen of it over the last seconds. */

/** A pace is that of so many ms: long enough not to jump, short enough to show what goes on now. */
const WINDOW_MS = 5_000
/** Less is too little to tell a pace from, in ms. */
const LEAST_MS = 500

/** So many chunks were done at that time (ms). */
export interface Sample {
  at: number
  done: number
}

/** A new leader may know of fewer chunks than the last one told of: then the pace begins anew. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1)
  if (last === undefined || sample.done < last.done) return [sample]
  const recent = samples.filter(({ at }) => sample.at - at <= WINDOW_MS)
  return [...recent, sample]
}

/** Chunks a second; undefined while that cannot be told. */
export function paceOf(samples: readonly Sample[]): number | undefined {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return undefined
  return ((last.done - first.done) * 1_000) / (last.at - first.at)
}
