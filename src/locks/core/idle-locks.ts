/** The most locks that nobody uses whose own token the journal remembers. */
const MOST_IDLE = 1_000

/**
 * The locks that nobody uses. The journal remembers the newest token of some of them, and of all others only that it was at most the *floor*.
 */
export class IdleLocks {
  /** The token of each lock, by key, the oldest first. */
  readonly #tokens = new Map<string, number>()
  #floor = 0
  /** The floor that is being written. */
  #writing: number | undefined

  /** No forgotten lock has had a larger token. */
  get floor(): number {
    return this.#floor
  }

  get size(): number {
    return this.#tokens.size
  }

  adopt(floor: number): void {
    this.#floor = Math.max(this.#floor, floor)
  }

  /** Adds a lock. Returns the floor to write if there are too many locks. */
  add(key: string, token: number): number | undefined {
    this.#tokens.delete(key)
    this.#tokens.set(key, token)
    if (this.#tokens.size <= MOST_IDLE || this.#writing !== undefined) return undefined
    this.#writing = Math.max(this.#floor, ...[...this.#tokens.values()].slice(0, MOST_IDLE / 2))
    return this.#writing
  }

  delete(key: string): void {
    this.#tokens.delete(key)
  }

  /** Records that the floor is written. Returns the locks that can be forgotten, the oldest first. */
  written(): string[] {
    this.#floor = Math.max(this.#floor, this.#writing ?? 0)
    this.#writing = undefined
    const old = [...this.#tokens].slice(0, MOST_IDLE / 2).filter(([, token]) => token <= this.#floor)
    for (const [key] of old) this.#tokens.delete(key)
    return old.map(([key]) => key)
  }
}
