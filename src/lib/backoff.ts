import { allowManyListeners, delay } from './wait.ts'

/** Growing pauses between attempts, each jittered so that many peers do not try in step. */
export class Backoff {
  readonly #first: number
  readonly #last: number
  #next: number

  /** @param first - first pause, in ms; each is twice the one before, up to `last` */
  constructor(first: number, last: number) {
    this.#first = first
    this.#last = last
    this.#next = first
  }

  reset(): void {
    this.#next = this.#first
  }

  /** Waits 75 to 125% of the next pause; rejects when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const pause = this.#next * (0.75 + Math.random() / 2)
    this.#next = Math.min(this.#last, this.#next * 2)
    await delay(pause, signal)
  }
}

/**
 * Lets a few begin at a time. Each holds its place until it is done, or for `longest` ms: those that wait for an answer
 * that never comes do not keep others from beginning.
 */
export class Turnstile {
  readonly #places: number
  readonly #longest: number
  /** In the order in which they came. */
  readonly #waiting = new Set<() => void>()
  #taken = 0

  constructor(places: number, longest: number) {
    this.#places = places
    this.#longest = longest
  }

  /** Waits for a place; the returned function gives it back. */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#taken < this.#places) this.#taken++
    else await this.#handedOver(signal)
    let left = false
    const leave = () => {
      if (left) return
      left = true
      clearTimeout(timer)
      const [next] = this.#waiting
      if (next === undefined) this.#taken--
      else next()
    }
    const timer = setTimeout(leave, this.#longest)
    timer.unref()
    return leave
  }

  /** Resolves when somebody who leaves hands its place over. */
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
