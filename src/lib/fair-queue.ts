/** Who waits, by who asks for it: one of each in turn, so that whoever asks for much keeps nobody else waiting for all of it. */
export class FairQueue<T> {
  /** Those of one that asks are in order; who asks is in the order of their turns. */
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

  /** Takes the next one out. */
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

  /** Takes out one that waits no more. */
  remove(by: string | undefined, item: T): void {
    const own = this.#waiting.get(by)
    const at = own?.indexOf(item) ?? -1
    if (own === undefined || at < 0) return
    own.splice(at, 1)
    if (own.length === 0) this.#waiting.delete(by)
    this.#size -= 1
  }
}
