import { IndexMap } from '../../lib/index-map.ts'

/**
 * The partials of one job that have arrived and are not folded. They are folded in chunk order, each index once: what
 * arrives ahead of a gap waits here.
 */
export class ReorderWindow {
  readonly #sizes = new IndexMap<number>()
  #foldNext: number
  /** The first index at or above `foldNext` whose partial is missing. */
  #firstMissing: number
  /** How many of them are folded together, but for the last. */
  groupSize = 1
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

  /**
   * What to fold next: a run without gaps from `foldNext`, at least one group; undefined: nothing, or a fold is under way.
   *
   * @param total - how many chunks there are in all, where that is known
   */
  startFold(maxCount: number, maxBytes: number, total?: number): { first: number; count: number } | undefined {
    if (this.#folding > 0) return undefined
    let count = 0
    let bytes = 0
    for (let end = this.#endOfGroup(this.#foldNext, total); end !== undefined; ) {
      for (let index = this.#foldNext + count; index < end; index++) bytes += this.#sizes.get(index) ?? 0
      if (count > 0 && (bytes > maxBytes || end - this.#foldNext > maxCount)) break
      count = end - this.#foldNext
      end = this.#endOfGroup(end, total)
    }
    if (count === 0) return undefined
    this.#folding = count
    return { first: this.#foldNext, count }
  }

  /** The end of the group that begins there, if all of it is here. */
  #endOfGroup(first: number, total = Number.POSITIVE_INFINITY): number | undefined {
    const end = Math.min(first + this.groupSize, total)
    return first < end && end <= this.#firstMissing ? end : undefined
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
