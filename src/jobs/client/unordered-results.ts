import { type Deferred, deferred } from '../../lib/deferred.ts'
import { type IndexedPack, unpack } from '../../tasks/values/pack.ts'
import { decode } from '../../tasks/values/payload.ts'

/** What whoever reads no more is taken to have. */
const ALL = Number.MAX_SAFE_INTEGER

/** The results of a stream as they come: each once, whoever leads. */
export class UnorderedResults<Result> implements AsyncIterable<Result> {
  readonly #onGot: (next: number) => void
  /** Those that have arrived and are not read yet. */
  #arrived: Uint8Array[] = []
  /** Those of all items before it have arrived, and some beyond. */
  #received = 0
  readonly #beyond = new Set<number>()
  /** Those of all items before it have been read. */
  #got = 0
  #left = false
  #end: { error: unknown } | undefined
  #change: Deferred<void> = deferred()

  /** @param onGot - told that those of all items before `next` have been read */
  constructor(onGot: (next: number) => void) {
    this.#onGot = onGot
  }

  get got(): number {
    return this.#left ? ALL : this.#got
  }

  get received(): number {
    return this.#left ? ALL : this.#received
  }

  /** Some have come. What has come before, from another leader, is passed over. */
  receive(results: IndexedPack): void {
    const values = unpack(results)
    const before = this.#received
    for (const [position, index] of results.indices.entries()) {
      if (index < this.#received || this.#beyond.has(index)) continue
      if (!this.#left) this.#arrived.push(values[position]!)
      if (index === this.#received) this.#received += 1
      else this.#beyond.add(index)
      while (this.#beyond.delete(this.#received)) this.#received += 1
    }
    if (this.#left) this.#onGot(ALL)
    // Nothing of it is new: the word that all before is read may have been lost with an earlier leader.
    else if (this.#arrived.length === 0 && before === this.#received) this.#onGot(this.#got)
    this.#changed()
  }

  /** The job has ended, or failed: nothing more will come. */
  end(_chunks: number | undefined, error?: unknown): void {
    this.#end ??= { error }
    this.#changed()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Result, void, undefined> {
    try {
      for (;;) {
        while (this.#arrived.length === 0 && this.#end === undefined) await this.#change.promise
        if (this.#arrived.length === 0) break
        const [arrived, received] = [this.#arrived, this.#received]
        this.#arrived = []
        for (const bytes of arrived) yield decode(bytes, 'partial') as Result
        this.#got = received
        if (this.#end === undefined) this.#onGot(received)
      }
      if (this.#end?.error !== undefined) throw this.#end.error
    } finally {
      this.#left = true
      this.#arrived = []
      if (this.#end === undefined) this.#onGot(ALL)
    }
  }

  #changed(): void {
    this.#change.resolve()
    this.#change = deferred()
  }
}
