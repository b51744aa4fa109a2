import pDefer, { type DeferredPromise } from 'p-defer'
import { decode } from '../../tasks/values/payload.ts'

/** The position of a reader that reads no more: behind everything there will ever be. */
export const ALL = Number.MAX_SAFE_INTEGER

/** Results of chunks that have arrived at a client, for one reader. */
export abstract class ArrivedResults<Result> implements AsyncIterable<Result> {
  /** Tells the leader that no result before `next` is needed any more. */
  protected readonly onGot: (next: number) => void
  /** Those that are not read yet. */
  protected arrived: Uint8Array[] = []
  /** All before it have arrived, and all before it are read. */
  protected arrivedBefore = 0
  protected readBefore = 0
  protected hasLeft = false
  #end: { error: unknown } | undefined
  #change: DeferredPromise<void> = pDefer()

  constructor(onGot: (next: number) => void) {
    this.onGot = onGot
  }

  /** No result before it is needed any more. */
  get got(): number {
    return this.hasLeft ? ALL : this.readBefore
  }

  get received(): number {
    return this.hasLeft ? ALL : this.arrivedBefore
  }

  /** The job has ended, with an error or without: nothing more arrives. */
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

  /** A reader begins. */
  protected onBegin(): void {}

  /** The next result is about to be read. */
  protected onRead(): void {}

  protected changed(): void {
    this.#change.resolve()
    this.#change = pDefer()
  }
}
