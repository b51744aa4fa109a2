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

/** The time between two attempts when many peers cannot be reached, in ms. */
const MS_EACH = 10

/**
 * Returns the longest pause between two attempts to reach a lost peer, in ms: `usual`, or long enough that all lost peers together cost at most 100
 * attempts a second. Otherwise members that somebody has invented would keep this peer busy.
 */
export function longestRetry<T>(usual: number, peers: Iterable<T>, isLost: (peer: T) => boolean): number {
  let lost = 0
  for (const peer of peers) if (isLost(peer)) lost += 1
  return Math.max(usual, MS_EACH * lost)
}
