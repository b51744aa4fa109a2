import { delay } from './abort.ts'

/** Growing pauses between attempts. Each pause has a random part, so that many peers do not try at the same time. */
export class Backoff {
  readonly #first: number
  readonly #last: number
  #next: number

  /** @param first - the first pause, in ms. Each further pause is twice as long as the previous pause, up to `last` */
  constructor(first: number, last: number) {
    this.#first = first
    this.#last = last
    this.#next = first
  }

  reset(): void {
    this.#next = this.#first
  }

  /** Waits for 75 to 125% of the next pause. Rejects when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const pause = this.#next * (0.75 + Math.random() / 2)
    this.#next = Math.min(this.#last, this.#next * 2)
    await delay(pause, signal)
  }
}
