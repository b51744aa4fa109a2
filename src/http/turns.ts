/** One thing at a time, in the order in which they were asked for, and some time between two. */
import { deferred } from '../deferred.ts'

export class Turns {
  readonly #gapMs: number
  #last = Promise.resolve()

  /** @param gapMs - from the end of one to the beginning of the next, in ms */
  constructor(gapMs: number) {
    this.#gapMs = gapMs
  }

  /**
   * What `work` returns, or throws.
   *
   * @param signal - whoever waits for its turn gives it up; rejects with its reason. What has begun must look at it itself.
   */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last
    const { promise, resolve } = deferred<void>()
    this.#last = promise
    await before
    if (signal.aborted) {
      resolve()
      signal.throwIfAborted()
    }
    try {
      return await work()
    } finally {
      setTimeout(resolve, this.#gapMs).unref()
    }
  }
}
