import type { EncodedChunk } from '../tasks/executor.ts'
import type { RunMode } from './coordinator-types.ts'

export interface WaitingChunk extends EncodedChunk {
  mode: RunMode
}

/** Taken chunks are cut off when there are as many, or none is left: not each time. */
const CUT_AT = 2_048

/** Chunks of one job that wait at a worker for a thread, in the order in which they came. */
export class WaitingChunks {
  #chunks: WaitingChunk[] = []
  /** Those before it have been taken. */
  #next = 0

  get size(): number {
    return this.#chunks.length - this.#next
  }

  /** How the first of them is to be run. */
  get mode(): RunMode | undefined {
    return this.#chunks[this.#next]?.mode
  }

  add(chunk: WaitingChunk): void {
    this.#chunks.push(chunk)
  }

  /** The first ones, `most` of them at most, as far as they are to be run in the same way. */
  take(most: number): EncodedChunk[] {
    const { mode } = this
    let end = this.#next
    while (end < this.#next + most && this.#chunks[end]?.mode === mode && mode !== undefined) end += 1
    const taken = this.#chunks.slice(this.#next, end)
    this.#next = end
    if (this.size === 0 || this.#next > CUT_AT) {
      this.#chunks.splice(0, this.#next)
      this.#next = 0
    }
    return taken
  }

  /** Takes some out that are not wanted any more. */
  drop(indices: ReadonlySet<number>): void {
    this.#chunks = this.#chunks.slice(this.#next).filter(({ index }) => !indices.has(index))
    this.#next = 0
  }

  /** Takes those out that are to be announced; returns their indices. */
  dropAnnounced(): number[] {
    const left = this.#chunks.slice(this.#next)
    this.#chunks = left.filter(({ mode }) => mode !== 'announced')
    this.#next = 0
    return left.flatMap(({ index, mode }) => (mode === 'announced' ? [index] : []))
  }

  /** Takes all of them. */
  clear(): EncodedChunk[] {
    const left = this.#chunks.slice(this.#next)
    this.#chunks = []
    this.#next = 0
    return left
  }
}
