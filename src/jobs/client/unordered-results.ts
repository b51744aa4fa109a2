import { type IndexedPack, unpack } from '../../tasks/values/pack.ts'
import { ALL, ArrivedResults } from './arrived-results.ts'

/** The results of a stream as they arrive: each once, across leaders. */
export class UnorderedResults<Result> extends ArrivedResults<Result> {
  /** Items behind a gap whose results have arrived. */
  readonly #beyond = new Set<number>()

  /** Passes over results that another leader has sent before. */
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
    // Nothing is new: the message that all before is read may have been lost with an earlier leader.
    else if (this.arrived.length === 0 && before === this.arrivedBefore) this.onGot(this.readBefore)
    this.changed()
  }
}
