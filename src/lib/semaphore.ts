import { allowManyListeners } from './abort.ts'

/** Lets a limited number of calls run at a time. Further calls wait in order. */
export class Semaphore {
  readonly #places: number
  readonly #longest: number | undefined
  /** The waiting callers, in the order of their calls. */
  readonly #waiting = new Set<() => void>()
  #taken = 0

  /** @param longest - the time (ms) after which a place is freed, so that a holder that never ends does not block other callers */
  constructor(places: number, longest?: number) {
    this.#places = places
    this.#longest = longest
  }

  get taken(): number {
    return this.#taken
  }

  /** Waits for a place. Resolves with a function that releases the place. Rejects with the signal's reason when the signal aborts. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#taken < this.#places) this.#taken++
    else await this.#handedOver(signal)
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      clearTimeout(timer)
      const [next] = this.#waiting
      if (next === undefined) this.#taken--
      else next()
    }
    const timer = this.#longest === undefined ? undefined : setTimeout(release, this.#longest).unref()
    if (!signal.aborted) return release
    release()
    throw signal.reason
  }

  /**
   * Waits for a place, runs `work`, and releases the place.
   *
   * @param gap - the time (ms) between the end of `work` and the release of the place
   * @throws the signal's reason if the signal aborts before a place is free; `work` must observe the signal itself
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>, gap = 0): Promise<T> {
    const release = await this.acquire(signal)
    try {
      return await work()
    } finally {
      if (gap > 0) setTimeout(release, gap).unref()
      else release()
    }
  }

  /** Resolves when a holder passes its place to this caller. */
  #handedOver(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#waiting.delete(take)
        signal.removeEventListener('abort', onAbort)
      }
      const take = () => {
        settle()
        resolve()
      }
      const onAbort = () => {
        settle()
        reject(signal.reason)
      }
      this.#waiting.add(take)
      allowManyListeners(signal).addEventListener('abort', onAbort)
    })
  }
}
