/** Measures how many chunks a second a job completes, from thousands a second to one in minutes. */
import type { Sample } from './pace.ts'

/** The window of the rate, in ms. It is longer when it contains fewer than LEAST_CHANGES changes. */
const WINDOW_MS = 5_000
/** The smallest number of changes in the window, because chunks may take minutes. */
const LEAST_CHANGES = 10
/** Changes within this time are combined into one sample, in ms: there may be thousands a second. */
const GRAIN_MS = 100
/** The time and the number of chunks from which an estimate of the time left is better than a guess. */
const TRUSTED_MS = 2_000
const TRUSTED_CHUNKS = 5

/**
 * The mean over a sliding window: the chunks of the window by the time from its start until now. The rate is smooth where chunks come in waves, follows
 * peers that come and go within seconds, and falls while nothing comes.
 */
export class Rate {
  readonly #samples: Sample[] = []

  /** @param now - in ms, by a clock that never goes back */
  add(done: number, now: number): void {
    const last = this.#samples.at(-1)
    // A new leader may resume at an earlier chunk, so the old samples are meaningless for its pace.
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

  /** The time left at this rate, in ms; undefined while it would be a guess. */
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
