/** How fast chunks are done, from how many were done when. Times are in ms. */

/** A pace is that of so much time: long enough not to jump, short enough to show what goes on now. */
const WINDOW_MS = 5_000
/** Less is too little to tell a pace from. */
const LEAST_MS = 500

export interface Sample {
  at: number
  done: number
}

/** Keeps what a pace is told from. Another leader may know of fewer chunks than the last one told of: then it begins anew. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (last === undefined || sample.done < last.done) return [sample]
  return [...samples.filter(({ at }) => sample.at - at <= WINDOW_MS), sample]
}

/** Chunks a second; undefined while that cannot be told. */
export function paceOf(samples: readonly Sample[]): number | undefined {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return undefined
  return ((last.done - first.done) * 1_000) / (last.at - first.at)
}

/** How long the rest takes at this pace; undefined where nobody can tell. */
export function timeLeft(done: number, total: number | null, pace: number | undefined): number | undefined {
  return total === null || pace === undefined || pace <= 0 ? undefined : (Math.max(0, total - done) * 1_000) / pace
}
