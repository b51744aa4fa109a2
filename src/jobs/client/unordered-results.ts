import { type IndexedPack, unpack } from '../../tasks/values/pack.ts'
import { ALL, ArrivedResults } from './arrived-results.ts'

/** The results of a stream in the order of arrival: each exactly once, across leaders. */
export class UnorderedResults<Result> extends ArrivedResults<Result> {
  /** Indices of results that have arrived while an earlier one is missing. */
  readonly #beyond = new Set<number>()

  /** Adds results, except for those that an earlier leader has sent already. */
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
    // Nothing is new: an earlier leader may have lost the message that all results before are read.
    else if (this.arrived.length === 0 && before === this.arrivedBefore) this.onGot(this.readBefore)
    this.changed()
  }
}
