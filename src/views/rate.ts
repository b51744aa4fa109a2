/**
 * Measures the rate at which a job completes chunks, from thousands of chunks a second to one chunk in several minutes.
 */
import type { Sample } from './pace.ts'

/** The window of the rate, in ms. The window is longer when it would contain fewer than LEAST_CHANGES changes. */
const WINDOW_MS = 5_000
/** The smallest number of changes in the window, because chunks may take minutes. */
const LEAST_CHANGES = 10
/** The time within which changes are combined into one sample, in ms. There may be thousands of changes a second. */
const GRAIN_MS = 100
/** The time and the number of chunks that the rate needs before it estimates the time left. */
const TRUSTED_MS = 2_000
const TRUSTED_CHUNKS = 5

/**
 * The mean over a sliding window: the number of chunks in the window divided by the time from the start of the window
 * until now. The rate is smooth when chunks arrive in waves. It follows the arrival and the loss of peers within
 * seconds, and falls while no chunk arrives.
 */
export class Rate {
  readonly #samples: Sample[] = []

  /** @param now - the time in ms, by a monotonic clock */
  add(done: number, now: number): void {
    const last = this.#samples.at(-1)
    // A new leader may resume at an earlier chunk. Then the samples of the previous leader are useless, and the rate
    // drops these samples.
    if (last !== undefined && done < last.done) this.#samples.length = 0
    else if (last?.done === done) return
    const before = this.#samples.at(-2)
    if (before !== undefined && now - before.at < GRAIN_MS) this.#samples.pop()
    this.#samples.push({ at: now, done })
    while (this.#samples.length > LEAST_CHANGES && now - this.#samples[1]!.at > WINDOW_MS) this.#samples.shift()
  }

  /** The rate in chunks a second; undefined before the first chunk. */
  perSecond(now: number): number | undefined {
    const { chunks, ms } = this.#span(now)
    return chunks > 0 && ms > 0 ? (1_000 * chunks) / ms : undefined
  }

  /** Returns the time left at this rate, in ms; undefined while there are too few samples for an estimate. */
  msLeft(total: number | undefined, now: number): number | undefined {
    const { chunks, ms } = this.#span(now)
    if (total === undefined || ms < TRUSTED_MS || chunks < TRUSTED_CHUNKS) return undefined
    return (Math.max(0, total - this.#samples.at(-1)!.done) * ms) / chunks
  }

  #span(now: number): { chunks: number; ms: number } {
    const [first] = this.#samples
    const last = this.#samples.at(-1)
    return first === undefined || last === undefined
      ? { chunks: 0, ms: 0 }
      : { chunks: last.done - first.done, ms: now - first.at }
  }
}
