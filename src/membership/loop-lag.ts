import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { type Histogram, HistogramRecorder } from '../lib/histogram.ts'

/**
 * The interval between two samples of the event loop, in ms. A delay above this interval plus the tolerance is noticed. With 50 ms, sampling
 * took a tenth of the CPU time of an idle peer.
 */
const RESOLUTION = 100

/** The bounds of the histogram's buckets, in ms. */
const BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

/** The times between two samples, in ns. */
type Samples = Pick<IntervalHistogram, 'count' | 'max' | 'mean' | 'percentile' | 'reset' | 'enable' | 'disable'>

/** Detects that the event loop of this process ran late. A late peer lowers its own local health before it accuses other members. */
export class LoopLag {
  readonly #tolerance: number
  readonly #samples: Samples
  /** The samples before the last reset. */
  readonly #before = new HistogramRecorder(BOUNDS)
  /** The largest reported sum. The reported sum never decreases, because a monitoring system would interpret a decrease as a restart. */
  #reported = 0

  /** @param tolerance - the delay (ms) up to which the event loop does not count as late */
  constructor(tolerance: number, samples: Samples = monitorEventLoopDelay({ resolution: RESOLUTION })) {
    this.#tolerance = tolerance
    this.#samples = samples
    this.#samples.enable()
  }

  /** Whether the event loop was late since the last call. */
  wasLate(): boolean {
    if (this.#samples.max / 1e6 - RESOLUTION <= this.#tolerance) return false
    this.#before.add(this.#sinceReset())
    // Reset only after a delay. Node ignores the first sample after a reset, so a reset at each call would hide a delay that follows the call.
    this.#samples.reset()
    return true
  }

  /** Returns the histogram of the delays of all samples since the start, in ms. */
  histogram(): Histogram {
    const all = new HistogramRecorder(BOUNDS)
    all.add(this.#before.read())
    all.add(this.#sinceReset())
    const { bounds, counts, sum } = all.read()
    this.#reported = Math.max(this.#reported, sum)
    return { bounds, counts, sum: this.#reported }
  }

  stop(): void {
    this.#samples.disable()
  }

  /**
   * Returns the histogram since the last reset. Node takes the samples without a timer of this process. Node offers only percentiles, so a binary
   * search finds the number of samples within each bound.
   */
  #sinceReset(): Pick<Histogram, 'counts' | 'sum'> {
    const { count, max, mean } = this.#samples
    if (count === 0) return { counts: [], sum: 0 }
    const counts: number[] = []
    let below = 0
    for (const bound of BOUNDS) {
      const within = (max / 1e6 - RESOLUTION <= bound && count) || this.#within(bound, below, count)
      counts.push(within - below)
      below = within
    }
    counts.push(count - below)
    // After a late sample, the next sample is early by the same time. The mean hides both deviations, but the buckets show the late sample.
    const least = counts.reduce((sum, fell, bucket) => sum + fell * (BOUNDS[bucket - 1] ?? 0), 0)
    return { counts, sum: Math.max(least, (mean / 1e6 - RESOLUTION) * count) }
  }

  /** Returns the number of samples, out of `count`, that were late by at most `bound` ms. The caller knows that the number is at least `least`. */
  #within(bound: number, least: number, count: number): number {
    let [low, high] = [least, count]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.#samples.percentile((100 * middle) / count) / 1e6 - RESOLUTION <= bound) low = middle
      else high = middle - 1
    }
    return low
  }
}
