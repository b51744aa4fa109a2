import { type IndexedPack, unpack } from '../../tasks/values/pack.ts'
import { ALL, ArrivedResults } from './arrived-results.ts'

/** The results of a stream in the order of arrival: each exactly once, across leaders. */
export class UnorderedResults<Result> extends ArrivedResults<Result> {
  /** The indices of results that have arrived before a result with a lower index. */
  readonly #beyond = new Set<number>()

  /** Adds results, except the results that an earlier leader has already sent. */
  receive(results: IndexedPack): void {
    const values = unpack(results)
    const before = this.arrivedBefore
    for (const [position, index] of results.indices.entries()) {
      if (index < this.arrivedBefore || this.#beyond.has(index)) continue
      if (!this.hasLeft) this.arrived.push(values[position]!)
      if (index === this.arrivedBefore) this.arrivedBefore += 1
      else this.#beyond.add(index)
      while (this.#beyond.delete(this.arrivedBefore)) this.arrivedBefore += 1
    }
    if (this.hasLeft) this.onGot(ALL)
    // All results are repeated, so the earlier leader may not have received the acknowledgement. The client sends it again.
    else if (this.arrived.length === 0 && before === this.arrivedBefore) this.onGot(this.readBefore)
    this.changed()
  }
}
