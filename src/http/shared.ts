/**
 * Makes something once for all who want it at the same time: many that ask do not make work for each. Who asks while it is being made gets the next
 * one: what is given was made after it was asked for, so nobody misses what they have just done themselves.
 */
export class Shared<T> {
  readonly #make: () => Promise<T>
  #current: Promise<T> | undefined
  /** Made when the current one is there. */
  #next: Promise<T> | undefined

  constructor(make: () => Promise<T>) {
    this.#make = make
  }

  /** Rejects as what makes it does. */
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
