import type { Rate } from './rates.ts'

/** Above this many entries {@link deleteExpired} looks for expired ones. */
const MANY = 1_000

/** A token bucket for each peer or host, kept as the time at which the bucket is full again. */
export class TokenBuckets {
  readonly #rate: Rate
  readonly #now: () => number
  /** When each bucket is full again, in ms. */
  readonly #fullAt = new Map<string, number>()

  /** @param now - the time in ms, which never goes back */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate
    this.#now = now
  }

  /** Takes `amount`, and says how long to wait, in ms, until it is within the rate: 0 unless the burst is used up. */
  take(key: string, amount: number): number {
    const now = this.#now()
    if (!this.#fullAt.has(key)) deleteExpired(this.#fullAt, now, fullAt => fullAt)
    this.#fullAt.set(key, Math.max(now, this.#fullAt.get(key) ?? now) + (amount / this.#rate.perSecond) * 1_000)
    return this.owed(key)
  }

  /** How long {@link take} would say to wait, in ms. Takes nothing. */
  wouldWait(key: string, amount: number): number {
    const { burst, perSecond } = this.#rate
    return Math.max(0, this.#untilFull(key) + ((amount - burst) / perSecond) * 1_000)
  }

  /** Takes `amount` if it is within the rate, and says whether it is. */
  tryTake(key: string, amount: number): boolean {
    const before = this.#fullAt.get(key)
    if (this.take(key, amount) === 0) return true
    this.#fullAt.set(key, before ?? this.#now())
    return false
  }

  /** Keeps a bucket from filling for `ms`. */
  pause(key: string, ms: number): void {
    const fullAt = this.#fullAt.get(key)
    if (fullAt !== undefined && fullAt > this.#now()) this.#fullAt.set(key, fullAt + ms)
  }

  /** How long it takes, in ms, until what was taken beyond the burst is made good. */
  owed(key: string): number {
    return this.wouldWait(key, 0)
  }

  #untilFull(key: string): number {
    return Math.max(0, (this.#fullAt.get(key) ?? 0) - this.#now())
  }
}

/** Deletes expired entries of a large map: an entry of a peer that still owes something has to stay, however many there are. */
export function deleteExpired<Value>(map: Map<string, Value>, now: number, expiry: (value: Value) => number): void {
  if (map.size < MANY) return
  for (const [key, value] of map) if (expiry(value) <= now) map.delete(key)
}
