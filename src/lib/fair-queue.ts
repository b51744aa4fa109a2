/** A queue by requester that serves the requesters in turn, so that one with many items does not delay the others. */
export class FairQueue<T> {
  /** The items of each requester in order; the requesters in the order of their turns. */
  readonly #waiting = new Map<string | undefined, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  push(by: string | undefined, item: T): void {
    const own = this.#waiting.get(by)
    if (own === undefined) this.#waiting.set(by, [item])
    else own.push(item)
    this.#size += 1
  }

  /** Removes and returns the next item; `undefined` if there is none. */
  shift(): T | undefined {
    for (const [by, own] of this.#waiting) {
      const item = own.shift()
      this.#waiting.delete(by)
      if (own.length > 0) this.#waiting.set(by, own)
      this.#size -= 1
      return item
    }
    return undefined
  }

  /** Removes an item that waits no more. */
  remove(by: string | undefined, item: T): void {
    const own = this.#waiting.get(by)
    const at = own?.indexOf(item) ?? -1
    if (own === undefined || at < 0) return
    own.splice(at, 1)
    if (own.length === 0) this.#waiting.delete(by)
    this.#size -= 1
  }
}
