import { IndexMap } from './index-map.ts'

/**
 * The partials of one job that have arrived and are not folded. They are folded in chunk order, each index once: what
 * arrives ahead of a gap waits here.
 */
export class ReorderWindow {
  readonly #sizes = new IndexMap<number>()
  #foldNext: number
  /** The first index at or above `foldNext` whose partial is missing. */
  #firstMissing: number
  #folding = 0
  #bytes = 0

  /** @param first - the first index to fold: those before are folded */
  constructor(first = 0) {
    this.#foldNext = first
    this.#firstMissing = first
  }

  /** The lowest index that is not folded. */
  get foldNext(): number {
    return this.#foldNext
  }

  /** Bytes of the partials that are held, those that are just being folded included. */
  get bytes(): number {
    return this.#bytes
  }

  get count(): number {
    return this.#sizes.size
  }

  has(index: number): boolean {
    return index < this.#foldNext || this.#sizes.has(index)
  }

  put(index: number, bytes: number): void {
    this.#sizes.set(index, bytes)
    this.#bytes += bytes
    while (this.#sizes.has(this.#firstMissing)) this.#firstMissing += 1
  }

  /** What to fold next: a run without gaps from `foldNext`, at least one partial; undefined: nothing, or a fold is under way. */
  startFold(maxCount: number, maxBytes: number): { first: number; count: number } | undefined {
    if (this.#folding > 0 || this.#firstMissing === this.#foldNext) return undefined
    const end = Math.min(this.#firstMissing, this.#foldNext + maxCount)
    let count = 0
    let bytes = 0
    for (let index = this.#foldNext; index < end; index++) {
      bytes += this.#sizes.get(index) ?? 0
      if (count > 0 && bytes > maxBytes) break
      count += 1
    }
    this.#folding = count
    return { first: this.#foldNext, count }
  }

  /** The fold that was started is done. Whether there was one. */
  folded(first: number, count: number): boolean {
    if (this.#folding === 0 || first !== this.#foldNext || count !== this.#folding) return false
    for (let index = first; index < first + count; index++) {
      this.#bytes -= this.#sizes.get(index) ?? 0
      this.#sizes.delete(index)
    }
    this.#foldNext += count
    this.#folding = 0
    return true
  }
}
