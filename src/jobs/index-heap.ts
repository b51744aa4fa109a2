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
    const items = this.#items
    let i = items.push(index) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (items[parent]! <= index) break
      items[i] = items[parent]!
      i = parent
    }
    items[i] = index
  }

  /** Takes a certain index out; looks at all of them. Whether it was there. */
  remove(index: number): boolean {
    const at = this.#items.indexOf(index)
    if (at < 0) return false
    const rest = this.#items.splice(at)
    for (const other of rest.slice(1)) this.push(other)
    return true
  }

  pop(): number | undefined {
    const items = this.#items
    const top = items[0]
    const last = items.pop()
    if (last === undefined || items.length === 0) return top
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= items.length) break
      if (child + 1 < items.length && items[child + 1]! < items[child]!) child += 1
      if (items[child]! >= last) break
      items[i] = items[child]!
      i = child
    }
    items[i] = last
    return top
  }
}
