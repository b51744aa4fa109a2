import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { type Histogram, HistogramRecorder } from '../lib/histogram.ts'

/**
 * How often the event loop is looked at, in ms: whatever holds it up for longer than this and the tolerance together is noticed. More
 * often costs: at every 50 ms, looking was a tenth of all that an idle peer does.
 */
const RESOLUTION = 100

/** In ms. */
const BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

/** The times between two looks, in ns. */
type Looks = Pick<IntervalHistogram, 'count' | 'max' | 'mean' | 'percentile' | 'reset' | 'enable' | 'disable'>

/** Notices that this process's event loop ran late: a starved peer has to doubt itself before it doubts others. */
export class LoopLag {
  readonly #tolerance: number
  readonly #looks: Looks
  /** What was seen before the last reset. */
  readonly #before = new HistogramRecorder(BOUNDS)
  /** The largest sum that was told: whoever watches takes a smaller one for a restart. */
  #told = 0

  /** Lag up to `tolerance` ms is none. */
  constructor(tolerance: number, looks: Looks = monitorEventLoopDelay({ resolution: RESOLUTION })) {
    this.#tolerance = tolerance
    this.#looks = looks
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
    const { bounds, counts, sum } = all.read()
    this.#told = Math.max(this.#told, sum)
    return { bounds, counts, sum: this.#told }
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
    // A look that a timer held up is followed by one that is as much too early, and the mean knows nothing of either: but their buckets do.
    const least = counts.reduce((sum, fell, bucket) => sum + fell * (BOUNDS[bucket - 1] ?? 0), 0)
    return { counts, sum: Math.max(least, (mean / 1e6 - RESOLUTION) * count) }
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
