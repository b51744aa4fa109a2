/** The client's half of a lock: how long it may rely on the leader's answers. */
import { type LockRules, lockRules } from './rules.ts'

/** The requests of one session, and the time until which it holds the lock. The clock of its `now` must go on while the machine is suspended (lease-clock.ts). */
export class Holding {
  readonly #ttl: number
  readonly #rules: LockRules
  /** When each request was sent. A request is removed when its answer no longer counts. */
  readonly #sent = new Map<number, number>()
  #sequence = 0
  #validUntil = Number.NEGATIVE_INFINITY

  constructor(ttl: number, rules: LockRules = lockRules) {
    this.#ttl = ttl
    this.#rules = rules
  }

  /** Records that a request is sent, and returns its number. */
  ask(now: number): number {
    this.#sequence += 1
    this.#sent.set(this.#sequence, now)
    for (const [sequence, sentAt] of this.#sent) if (sentAt + this.#ttl <= now) this.#sent.delete(sequence)
    return this.#sequence
  }

  /** Records the answer to a request: the session holds the lock. */
  held(sequence: number, now: number): void {
    const sentAt = this.#sent.get(sequence)
    if (sentAt === undefined) return
    const until = this.#rules.countsFrom(sentAt, now) + this.#rules.validFor(this.#ttl)
    this.#validUntil = Math.max(this.#validUntil, until)
  }

  /** How long the session certainly still holds the lock, in ms. 0 if it does not. */
  remaining(now: number): number {
    return Math.max(0, this.#validUntil - now)
  }
}
