/** One thing at a time, in the order in which they were asked for, and some time between two. */
import { deferred } from '../lib/deferred.ts'

export class Turns {
  readonly #gapMs: number
  /** What gives each of those who wait their turn. */
  readonly #waiting = new Set<() => void>()
  #isTaken = false

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
    await this.#turn(signal)
    try {
      return await work()
    } finally {
      setTimeout(() => this.#next(), this.#gapMs).unref()
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (!this.#isTaken) {
      this.#isTaken = true
      return
    }
    const { promise, resolve, reject } = deferred<void>()
    const leave = (): void => {
      this.#waiting.delete(resolve)
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    this.#waiting.add(resolve)
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  #next(): void {
    const [give] = this.#waiting
    if (give === undefined) {
      this.#isTaken = false
      return
    }
    this.#waiting.delete(give)
    give()
  }
}
