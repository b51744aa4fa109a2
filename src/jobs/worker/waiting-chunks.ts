import { CHUNKS_A_GROUP } from '../../tasks/execute/group.ts'
import { concatIndexed, filterIndexed, type IndexedPack, sliceIndexed } from '../../tasks/values/pack.ts'
import type { RunMode } from '../scheduler/index.ts'

/** Chunks that arrived together, with their mode. */
interface Waiting {
  mode: RunMode
  chunks: IndexedPack
}

/** Chunks of one job that wait at a worker for a thread, in the order of arrival. */
export class WaitingChunks {
  #waiting: Waiting[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The mode of the first waiting chunk. `undefined` if no chunk waits. */
  get mode(): RunMode | undefined {
    return this.#waiting[0]?.mode
  }

  /**
   * Returns a number of chunks near `most`. With this number the last chunk is the end of a group, if the indices are consecutive.
   */
  wholeGroups(most: number): number {
    const open = CHUNKS_A_GROUP - ((this.#waiting[0]?.chunks.indices[0] ?? 0) % CHUNKS_A_GROUP)
    return open + CHUNKS_A_GROUP * Math.max(0, Math.floor((most - open) / CHUNKS_A_GROUP))
  }

  add(chunks: IndexedPack, mode: RunMode): void {
    if (chunks.indices.length === 0) return
    this.#waiting.push({ mode, chunks })
    this.#size += chunks.indices.length
  }

  /** Takes at most `most` of the first chunks. All these chunks have the same mode. At least one chunk must wait. */
  take(most: number): IndexedPack {
    const { mode } = this
    const taken: IndexedPack[] = []
    let count = 0
    while (count < most && this.mode === mode && this.#waiting.length > 0) {
      const first = this.#waiting[0]!
      const { length } = first.chunks.indices
      const end = Math.min(length, most - count)
      taken.push(sliceIndexed(first.chunks, 0, end))
      count += end
      if (end === length) this.#waiting.shift()
      else first.chunks = sliceIndexed(first.chunks, end, length)
    }
    this.#size -= count
    return concatIndexed(taken)
  }

  /** Removes chunks that are not needed any more. */
  drop(indices: ReadonlySet<number>): void {
    this.#keep(({ mode, chunks }) => ({ mode, chunks: filterIndexed(chunks, index => !indices.has(index)) }))
  }

  /** Removes the chunks in the mode `announced`. Returns their indices. */
  dropAnnounced(): number[] {
    const dropped: number[] = []
    this.#keep(waiting => {
      if (waiting.mode !== 'announced') return waiting
      dropped.push(...waiting.chunks.indices)
      return undefined
    })
    return dropped
  }

  /** Removes all chunks. Returns their indices. */
  clear(): number[] {
    const indices = this.#waiting.flatMap(({ chunks }) => chunks.indices as number[])
    this.#waiting = []
    this.#size = 0
    return indices
  }

  #keep(what: (waiting: Waiting) => Waiting | undefined): void {
    const all = this.#waiting
    this.#waiting = []
    this.#size = 0
    for (const waiting of all) {
      const kept = what(waiting)
      if (kept !== undefined) this.add(kept.chunks, kept.mode)
    }
  }
}
