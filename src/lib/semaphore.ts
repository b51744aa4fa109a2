import { allowManyListeners } from './abort.ts'

/** Lets a few run at a time; the others wait in order. */
export class Semaphore {
  readonly #places: number
  readonly #longest: number | undefined
  /** The waiting callers, in order of arrival. */
  readonly #waiting = new Set<() => void>()
  #taken = 0

  /** @param longest - frees a place after this time (ms), so that a holder that never ends does not block others */
  constructor(places: number, longest?: number) {
    this.#places = places
    this.#longest = longest
  }

  get taken(): number {
    return this.#taken
  }

  /** Waits for a place; the returned function releases it. Rejects with the signal's reason. */
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
   * Runs `work` in a place.
   *
   * @param gap - the time between the end of `work` and the release, in ms
   * @throws the signal's reason if that comes before the place; `work` has to watch the signal itself
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

  /** Resolves when another holder passes its place on. */
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
