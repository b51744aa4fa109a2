/** A queue that serves its requesters in turn, so that a requester with many items does not delay the other requesters. */
export class FairQueue<T> {
  /** The waiting items by requester. The order of the map is the order of the requesters' turns. */
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

  /** Removes and returns the next item. Returns `undefined` if the queue is empty. */
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

  /** Removes an item that no longer needs to be served. */
  remove(by: string | undefined, item: T): void {
    const own = this.#waiting.get(by)
    const at = own?.indexOf(item) ?? -1
    if (own === undefined || at < 0) return
    own.splice(at, 1)
    if (own.length === 0) this.#waiting.delete(by)
    this.#size -= 1
  }
}
