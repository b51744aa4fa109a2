import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * How often the event loop is looked at, in ms: whatever holds it up for longer than this and the tolerance together is noticed. More
 * often costs: at every 50 ms, looking was a tenth of all that an idle peer does.
 */
const RESOLUTION = 100

/** Notices that this process's event loop ran late: a starved peer has to doubt itself before it doubts others. */
export class LoopLag {
  readonly #tolerance: number
  readonly #histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION })

  /** Lag up to `tolerance` ms is none. */
  constructor(tolerance: number) {
    this.#tolerance = tolerance
    this.#histogram.enable()
  }

  /** Whether the loop was late since this was asked last. */
  wasLate(): boolean {
    // The longest time between two looks, in ns.
    if (this.#histogram.max / 1e6 - RESOLUTION <= this.#tolerance) return false
    // Only here: the first look after it counts for nothing, so a reset at each question would miss what follows at once.
    this.#histogram.reset()
    return true
  }

  stop(): void {
    this.#histogram.disable()
  }
}
