/** A binary min-heap of chunk indices. */
export class IndexHeap {
  readonly #items: number[] = []

  get size(): number {
    return this.#items.length
  }

  peek(): number | undefined {
    return this.#items[0]
  }

  push(index: number): void {
    this.#rise(this.#items.push(index) - 1, index)
  }

  /** Removes a given index by a linear search. Returns whether the index was in the heap. */
  remove(index: number): boolean {
    const at = this.#items.indexOf(index)
    if (at < 0) return false
    const last = this.#items.pop()!
    // The last item fills the gap, and then moves up or down to its place in the heap order.
    if (at < this.#items.length) this.#rise(this.#sink(at, last), last)
    return true
  }

  pop(): number | undefined {
    const top = this.#items[0]
    const last = this.#items.pop()
    if (last !== undefined && this.#items.length > 0) this.#sink(0, last)
    return top
  }

  /** Places an index at position `at`, or above that position as far as the heap order needs. */
  #rise(at: number, index: number): void {
    const items = this.#items
    let i = at
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (items[parent]! <= index) break
      items[i] = items[parent]!
      i = parent
    }
    items[i] = index
  }

  /** Places an index at position `at`, or below that position as far as the heap order needs. Returns the final position of the index. */
  #sink(at: number, index: number): number {
    const items = this.#items
    let i = at
    for (;;) {
      let child = 2 * i + 1
      if (child >= items.length) break
      if (child + 1 < items.length && items[child + 1]! < items[child]!) child += 1
      if (items[child]! >= index) break
      items[i] = items[child]!
      i = child
    }
    items[i] = index
    return i
  }
}
