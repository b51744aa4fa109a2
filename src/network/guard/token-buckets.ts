import type { Rate } from './rates.ts'

/** The number of entries above which {@link deleteExpired} looks for expired entries. */
const MANY = 1_000

/** A token bucket for each peer or host. Each bucket is stored as the time at which the bucket is full again. */
export class TokenBuckets {
  readonly #rate: Rate
  readonly #now: () => number
  /** The time at which each bucket is full again, in ms. */
  readonly #fullAt = new Map<string, number>()

  /** @param now - returns a time in ms that never goes back */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate
    this.#now = now
  }

  /** Takes `amount`. Returns the time (ms) to wait until the amount is within the rate, or 0 if the burst covers the amount. */
  take(key: string, amount: number): number {
    const now = this.#now()
    if (!this.#fullAt.has(key)) deleteExpired(this.#fullAt, now, fullAt => fullAt)
    this.#fullAt.set(key, Math.max(now, this.#fullAt.get(key) ?? now) + (amount / this.#rate.perSecond) * 1_000)
    return this.owed(key)
  }

  /** Returns the time (ms) that {@link take} would return, but takes nothing. */
  wouldWait(key: string, amount: number): number {
    const { burst, perSecond } = this.#rate
    return Math.max(0, this.#untilFull(key) + ((amount - burst) / perSecond) * 1_000)
  }

  /** Takes `amount` if it is within the rate. Returns whether the amount was taken. */
  tryTake(key: string, amount: number): boolean {
    const before = this.#fullAt.get(key)
    if (this.take(key, amount) === 0) return true
    this.#fullAt.set(key, before ?? this.#now())
    return false
  }

  /** Stops the refill of a bucket for `ms`. */
  pause(key: string, ms: number): void {
    const fullAt = this.#fullAt.get(key)
    if (fullAt !== undefined && fullAt > this.#now()) this.#fullAt.set(key, fullAt + ms)
  }

  /** Returns the time (ms) until the bucket no longer owes an excess over the burst. */
  owed(key: string): number {
    return this.wouldWait(key, 0)
  }

  #untilFull(key: string): number {
    return Math.max(0, (this.#fullAt.get(key) ?? 0) - this.#now())
  }
}

/** Deletes the expired entries of a large map. Keeps every other entry, however large the map is, so that no peer's excess is forgotten. */
export function deleteExpired<Value>(map: Map<string, Value>, now: number, expiry: (value: Value) => number): void {
  if (map.size < MANY) return
  for (const [key, value] of map) if (expiry(value) <= now) map.delete(key)
}
