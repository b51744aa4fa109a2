/** The duration of chunks, in ms of thread time: recently, over a whole job, and in earlier jobs of the same task. */
import { BoundedMap } from '../../lib/bounded-map.ts'

/** The weight of the newest sample in the average, from 0 to 1. */
const WEIGHT = 0.4
/** The shortest credible duration (ms): the resolution of timers. */
const SHORTEST = 0.001

/** The recent duration of chunks: an exponentially weighted moving average. */
export class RecentDuration {
  /** The milliseconds that a chunk takes. `undefined` before the first sample. */
  mean: number | undefined

  /** Adds a sample: `chunks` chunks together took `busyMs` ms. */
  measure(chunks: number, busyMs: number): void {
    if (chunks === 0 || busyMs <= 0) return
    const sample = Math.max(SHORTEST, busyMs / chunks)
    this.mean = this.mean === undefined ? sample : this.mean + (sample - this.mean) * WEIGHT
  }
}

/** A slow chunk has taken at least this many times the usual duration … */
const TIMES_USUAL = 3
/** … and is at least this many standard deviations above the mean. */
const DEVIATIONS_ABOVE = 4

/** The usual duration of a job's chunks, over all workers: mean and standard deviation by Welford's method. */
export class UsualDuration {
  /** Number of measured chunks. */
  measured = 0
  /** The mean time of a chunk in ms. 0 before the first measurement. */
  mean = 0
  /** Sum of the squared distances from the mean. */
  #squares = 0

  /** Adds `chunks` chunks that together took `busyMs` ms. Each of these chunks counts as equally long. */
  measure(chunks: number, busyMs: number): void {
    if (chunks === 0) return
    this.measured += chunks
    const distance = busyMs / chunks - this.mean
    this.mean += (distance * chunks) / this.measured
    this.#squares += chunks * distance * (busyMs / chunks - this.mean)
  }

  /**
   * The duration above which a chunk is slow, in ms.
   *
   * @param least - the smallest possible result. A smaller result could be the start of a thread or the delay of a message
   */
  slowFrom(least: number): number {
    const deviation = this.measured === 0 ? 0 : Math.sqrt(this.#squares / this.measured)
    return Math.max(least, TIMES_USUAL * this.mean, this.mean + DEVIATIONS_ABOVE * deviation)
  }
}

/** The largest number of tasks whose durations are remembered. */
const MOST_TASKS = 1_000

/** The mean duration of a chunk in the last job of each task, in ms. With it the next job of the task can begin with more than single chunks. */
export class TaskDurations extends BoundedMap<string, number> {
  constructor() {
    super(MOST_TASKS)
  }
}
