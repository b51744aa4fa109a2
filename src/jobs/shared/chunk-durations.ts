/** How long chunks take, in ms of thread time: lately, in the whole of a job, and in earlier jobs of the same task. */

/** Weight of the newest sample. */
const WEIGHT = 0.4
/** The shortest credible duration (ms): timers resolve no better. */
const SHORTEST = 0.001

/** How long chunks took lately: an exponentially weighted moving average. */
export class RecentDuration {
  /** Undefined before the first sample. */
  mean: number | undefined

  /** Adds the sample of chunks that took `busyMs` together. */
  measure(chunks: number, busyMs: number): void {
    if (chunks === 0 || busyMs <= 0) return
    const sample = Math.max(SHORTEST, busyMs / chunks)
    this.mean = this.mean === undefined ? sample : this.mean + (sample - this.mean) * WEIGHT
  }
}

/** A chunk is slow only when it has taken this many times the usual duration … */
const TIMES_USUAL = 3
/** … and is this many standard deviations above it. */
const DEVIATIONS_ABOVE = 4

/** How long the chunks of one job usually take, at all workers: mean and standard deviation by Welford's method. */
export class UsualDuration {
  /** Chunks that were measured. */
  measured = 0
  /** 0 before the first measurement. */
  mean = 0
  /** Sum of the squared distances from the mean. */
  #squares = 0

  /** Adds chunks that took `busyMs` together; they count as equally long. */
  measure(chunks: number, busyMs: number): void {
    if (chunks === 0) return
    this.measured += chunks
    const distance = busyMs / chunks - this.mean
    this.mean += (distance * chunks) / this.measured
    this.#squares += chunks * distance * (busyMs / chunks - this.mean)
  }

  /**
   * The duration from which on a chunk is slow.
   *
   * @param least - below it, the start of a thread or the way of a message looks like a slow chunk
   */
  slowFrom(least: number): number {
    const deviation = this.measured === 0 ? 0 : Math.sqrt(this.#squares / this.measured)
    return Math.max(least, TIMES_USUAL * this.mean, this.mean + DEVIATIONS_ABOVE * deviation)
  }
}

/** Tasks that are remembered. */
const MOST_TASKS = 1_000

/** How long the chunks of each task took in its last job, so that the next job need not begin with a single chunk. */
export class TaskDurations {
  /** The task that was used last comes last. */
  readonly #durations = new Map<string, number>()

  get(task: string): number | undefined {
    return this.#durations.get(task)
  }

  delete(task: string): void {
    this.#durations.delete(task)
  }

  set(task: string, ms: number): void {
    this.#durations.delete(task)
    this.#durations.set(task, ms)
    if (this.#durations.size > MOST_TASKS) this.#durations.delete(this.#durations.keys().next().value!)
  }
}
