import pDefer, { type DeferredPromise } from 'p-defer'
import { decode } from '../../tasks/values/payload.ts'

/** The read position of a reader that has stopped: it is larger than the index of any result. */
export const ALL = Number.MAX_SAFE_INTEGER

/** The results that have arrived at a client, for one reader. Each result is the partial of one chunk. */
export abstract class ArrivedResults<Result> implements AsyncIterable<Result> {
  /** Acknowledges to the leader that the client has read all results before `next`. */
  protected readonly onGot: (next: number) => void
  /** The results that have arrived and that the reader has not read yet. */
  protected arrived: Uint8Array[] = []
  /** Number of leading results that have arrived. `readBefore` is the number of leading results that the reader has read. */
  protected arrivedBefore = 0
  protected readBefore = 0
  protected hasLeft = false
  #end: { error: unknown } | undefined
  #change: DeferredPromise<void> = pDefer()

  constructor(onGot: (next: number) => void) {
    this.onGot = onGot
  }

  /** The index before which the client needs no result any more. */
  get got(): number {
    return this.hasLeft ? ALL : this.readBefore
  }

  get received(): number {
    return this.hasLeft ? ALL : this.arrivedBefore
  }

  /** Ends the results, because the job has ended and no more results arrive. `error` is set if the job has failed. */
  end(_chunks: number | undefined, error?: unknown): void {
    this.#end ??= { error }
    this.changed()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Result, void, undefined> {
    this.onBegin()
    try {
      for (;;) {
        while (this.arrived.length === 0 && this.#end === undefined) await this.#change.promise
        if (this.arrived.length === 0) break
        const { arrived, arrivedBefore } = this
        this.arrived = []
        for (const result of arrived) {
          this.onRead()
          yield decode(result, 'partial') as Result
        }
        this.readBefore = arrivedBefore
        if (this.#end === undefined) this.onGot(this.readBefore)
      }
      if (this.#end?.error !== undefined) throw this.#end.error
    } finally {
      this.hasLeft = true
      this.arrived = []
      if (this.#end === undefined) this.onGot(ALL)
    }
  }

  /** Called when a reader begins. */
  protected onBegin(): void {}

  /** Called before each result is read. */
  protected onRead(): void {}

  protected changed(): void {
    this.#change.resolve()
    this.#change = pDefer()
  }
}
