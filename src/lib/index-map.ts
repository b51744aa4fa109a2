const PAGE_BITS = 9
const PAGE = 2 ** PAGE_BITS

interface Page<Value> {
  number: number
  /** The values of the page. The entry is `undefined` at an index without a value. */
  values: (Value | undefined)[]
  count: number
}

/**
 * A map from chunk indices to values. The indices of one job are close together and arrive in order. Stored in pages,
 * the values need a fraction of the memory of a `Map`. Values cannot be `undefined`.
 */
export class IndexMap<Value extends {}> {
  readonly #pages = new Map<number, Page<Value>>()
  /** The page that was used last. The next access usually needs the same page. */
  #last: Page<Value> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  get(index: number): Value | undefined {
    return this.#pageOf(index)?.values[index % PAGE]
  }

  has(index: number): boolean {
    return this.get(index) !== undefined
  }

  set(index: number, value: Value): void {
    const page = this.#pageOf(index) ?? this.#addPage(Math.floor(index / PAGE))
    const at = index % PAGE
    if (page.values[at] === undefined) {
      page.count += 1
      this.#size += 1
    }
    page.values[at] = value
  }

  /** Deletes the value of an index. Returns whether the index had a value. */
  delete(index: number): boolean {
    const page = this.#pageOf(index)
    const at = index % PAGE
    if (page?.values[at] === undefined) return false
    page.values[at] = undefined
    page.count -= 1
    this.#size -= 1
    if (page.count === 0) {
      this.#pages.delete(page.number)
      this.#last = undefined
    }
    return true
  }

  clear(): void {
    this.#pages.clear()
    this.#last = undefined
    this.#size = 0
  }

  *keys(): Generator<number> {
    for (const [index] of this) yield index
  }

  /** Iterates over all entries. An entry that is added or deleted during the iteration may or may not appear. */
  *[Symbol.iterator](): Generator<[index: number, value: Value]> {
    for (const { number, values } of this.#pages.values()) {
      for (let at = 0; at < PAGE; at++) {
        const value = values[at]
        if (value !== undefined) yield [number * PAGE + at, value]
      }
    }
  }

  #pageOf(index: number): Page<Value> | undefined {
    const number = Math.floor(index / PAGE)
    if (this.#last?.number === number) return this.#last
    const page = this.#pages.get(number)
    if (page !== undefined) this.#last = page
    return page
  }

  #addPage(number: number): Page<Value> {
    const page: Page<Value> = { number, values: new Array<undefined>(PAGE).fill(undefined), count: 0 }
    this.#pages.set(number, page)
    this.#last = page
    return page
  }
}
