/**
 * Creates one value for all callers at the same time, so that many callers do not multiply the work. A caller that arrives during a
 * creation receives the next value. So the creation of a value always begins after the request, and a caller always sees the effects
 * of its own earlier actions.
 */
export class Shared<T> {
  readonly #make: () => Promise<T>
  #current: Promise<T> | undefined
  /** The creation that starts after the present creation. */
  #next: Promise<T> | undefined

  constructor(make: () => Promise<T>) {
    this.#make = make
  }

  /** Rejects when the creation rejects. */
  get(): Promise<T> {
    if (this.#next !== undefined) return this.#next
    if (this.#current === undefined) return this.#begin()
    const begin = (): Promise<T> => {
      this.#next = undefined
      return this.#begin()
    }
    this.#next = this.#current.then(begin, begin)
    return this.#next
  }

  #begin(): Promise<T> {
    const made = this.#make().finally(() => {
      if (this.#current === made) this.#current = undefined
    })
    this.#current = made
    return made
  }
}
