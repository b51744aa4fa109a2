import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { type Histogram, HistogramRecorder } from '../histogram.ts'

/**
 * How often the event loop is looked at, in ms: whatever holds it up for longer than this and the tolerance together is noticed. More
 * often costs: at every 50 ms, looking was a tenth of all that an idle peer does.
 */
const RESOLUTION = 100

/** In ms. */
const BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

/** Notices that this process's event loop ran late: a starved peer has to doubt itself before it doubts others. */
export class LoopLag {
  readonly #tolerance: number
  readonly #looks: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION })
  /** What was seen before the last reset. */
  readonly #before = new HistogramRecorder(BOUNDS)

  /** Lag up to `tolerance` ms is none. */
  constructor(tolerance: number) {
    this.#tolerance = tolerance
    this.#looks.enable()
  }

  /** Whether the loop was late since this was asked last. */
  wasLate(): boolean {
    // The longest time between two looks, in ns.
    if (this.#looks.max / 1e6 - RESOLUTION <= this.#tolerance) return false
    this.#before.add(this.#sinceReset())
    // Only here: the first look after it counts for nothing, so a reset at each question would miss what follows at once.
    this.#looks.reset()
    return true
  }

  /** How late it was at each look since the start, in ms. */
  histogram(): Histogram {
    const all = new HistogramRecorder(BOUNDS)
    all.add(this.#before.read())
    all.add(this.#sinceReset())
    return all.read()
  }

  stop(): void {
    this.#looks.disable()
  }

  /**
   * Node counts the looks, so that no timer of ours has to wake the process up, and gives percentiles of them only: how many were within a bound is
   * found by halving.
   */
  #sinceReset(): Pick<Histogram, 'counts' | 'sum'> {
    const { count, max, mean } = this.#looks
    if (count === 0) return { counts: [], sum: 0 }
    const counts: number[] = []
    let below = 0
    for (const bound of BOUNDS) {
      const within = (max / 1e6 - RESOLUTION <= bound && count) || this.#within(bound, below, count)
      counts.push(within - below)
      below = within
    }
    counts.push(count - below)
    // A look may be a little early.
    return { counts, sum: Math.max(0, (mean / 1e6 - RESOLUTION) * count) }
  }

  /** How many of `count` looks were late by at most `bound` ms; at least `least` were. */
  #within(bound: number, least: number, count: number): number {
    let [low, high] = [least, count]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.#looks.percentile((100 * middle) / count) / 1e6 - RESOLUTION <= bound) low = middle
      else high = middle - 1
    }
    return low
  }
}
