import { delay, withSignal } from './wait.ts'

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
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(places: number, longest: number) {
    this.#places = places
    this.#longest = longest
  }

  /** Waits for a place; the returned function gives it back. */
  async enter(signal: AbortSignal): Promise<() => void> {
    while (this.#taken >= this.#places) {
      await withSignal(new Promise<void>(resolve => this.#waiting.push(resolve)), signal)
    }
    this.#taken++
    let left = false
    const leave = () => {
      if (left) return
      left = true
      clearTimeout(timer)
      this.#taken--
      for (const wake of this.#waiting.splice(0)) wake()
    }
    const timer = setTimeout(leave, this.#longest)
    timer.unref()
    return leave
  }
}
