import { type IndexedPack, type IndexedValue, packIndexed, unpackIndexed } from '../../tasks/values/pack.ts'
import { type ShardRound, shardRoundOf, withValues } from '../../tasks/values/shard-round.ts'
import type { RunMode } from '../scheduler/index.ts'
import type { ValueCache } from './value-cache.ts'

/** A chunk with the values that have arrived. The chunk keeps these values even if the cache drops them. */
interface Chunk {
  mode: RunMode
  bytes: Uint8Array
  reference: ShardRound
  state: Uint8Array | undefined
  data: Uint8Array | undefined
}

/** Chunks that can run. All of them have the same mode. */
export interface Runnable {
  mode: RunMode
  chunks: IndexedPack
}

/**
 * The chunks of one iteration at a worker, which refer to shards and states. Tracks which chunks lack a value, and
 * joins the complete chunks with their values. Does nothing for jobs that are no iterations.
 */
export class ShardRoundChunks {
  readonly #job: string
  readonly #values: ValueCache
  readonly #lacking = new Map<number, Chunk>()
  readonly #complete = new Map<number, Chunk>()
  /** The values that the worker has requested from the present leader. */
  readonly #asked = new Set<string>()
  /** The newest round of which the worker has had a chunk, and the id of the state of that round. `undefined` before the first chunk. */
  #newest: { round: number; state: string } | undefined

  constructor(job: string, values: ValueCache) {
    this.#job = job
    this.#values = values
  }

  /** Keeps the chunks that lack a value. Returns the chunks that can run. */
  add(chunks: IndexedPack, mode: RunMode): IndexedPack {
    let lacks = false
    const runnable: IndexedValue[] = []
    for (const { index, bytes } of unpackIndexed(chunks)) {
      const reference = shardRoundOf(bytes)
      if (reference !== undefined) {
        this.#begin(reference)
        const [state, data] = idsOf(reference).map(id => this.#values.get(this.#job, id))
        const isComplete = state !== undefined && data !== undefined
        const held = isComplete ? this.#complete : this.#lacking
        held.set(index, { mode, bytes, reference, state, data })
        if (!isComplete) {
          lacks = true
          continue
        }
      }
      runnable.push({ index, bytes })
    }
    return lacks ? packIndexed(runnable) : chunks
  }

  /** Returns the values that these chunks lack and that are not requested yet. From now on these values count as requested. */
  wanted(indices: readonly number[]): string[] {
    const wanted = new Set<string>()
    for (const index of indices) {
      const chunk = this.#lacking.get(index)
      if (chunk?.state === undefined && chunk !== undefined) wanted.add(chunk.reference.state)
      if (chunk?.data === undefined && chunk !== undefined) wanted.add(chunk.reference.data)
    }
    for (const id of wanted) {
      if (this.#asked.has(id)) wanted.delete(id)
      this.#asked.add(id)
    }
    return [...wanted]
  }

  hasAsked(id: string): boolean {
    return this.#asked.has(id)
  }

  /** Adds values that have arrived. Returns the chunks that are complete now. */
  came(values: ReadonlyMap<string, Uint8Array>): Runnable[] {
    for (const [id, bytes] of values) {
      this.#asked.delete(id)
      this.#values.put(this.#job, id, bytes)
    }
    const runnable = new Map<RunMode, IndexedValue[]>()
    for (const [index, chunk] of this.#lacking) {
      const { mode, bytes, reference } = chunk
      chunk.state ??= values.get(reference.state)
      chunk.data ??= values.get(reference.data)
      if (chunk.state === undefined || chunk.data === undefined) continue
      this.#lacking.delete(index)
      this.#complete.set(index, chunk)
      const list = runnable.get(mode) ?? []
      list.push({ index, bytes })
      runnable.set(mode, list)
    }
    return [...runnable].map(([mode, values]) => ({ mode, chunks: packIndexed(values) }))
  }

  /** Drops and returns the chunks that need these values, because the leader does not have the values. */
  without(ids: readonly string[]): number[] {
    for (const id of ids) this.#asked.delete(id)
    const lost = new Set(ids)
    return this.#give(
      ({ reference, state, data }) =>
        (state === undefined && lost.has(reference.state)) || (data === undefined && lost.has(reference.data))
    )
  }

  /** Converts chunks to the form that a thread needs. In this form the values of each chunk follow its reference. */
  whole(chunks: IndexedPack): IndexedPack {
    if (this.#complete.size === 0) return chunks
    return packIndexed(
      unpackIndexed(chunks).map(chunk => {
        const complete = this.#complete.get(chunk.index)
        if (complete === undefined) return chunk
        this.#complete.delete(chunk.index)
        const { reference, state, data } = complete
        return { index: chunk.index, bytes: withValues(reference, state!, data!) }
      })
    )
  }

  /** Drops chunks that are not needed any more. */
  drop(indices: Iterable<number>): void {
    for (const index of indices) {
      this.#lacking.delete(index)
      this.#complete.delete(index)
    }
  }

  /** Drops and returns the incomplete chunks in the mode `announced`. */
  dropAnnounced(): number[] {
    return this.#give(({ mode }) => mode === 'announced')
  }

  /** Drops all chunks. Returns the chunks that lacked a value. */
  clear(): number[] {
    this.#complete.clear()
    return this.#give(() => true)
  }

  /** Forgets the requests to a leader that is gone, because no leader will answer these requests. */
  leaderGone(): void {
    this.#asked.clear()
  }

  #give(which: (chunk: Chunk) => boolean): number[] {
    const given: number[] = []
    for (const [index, chunk] of this.#lacking) {
      if (!which(chunk)) continue
      given.push(index)
      this.#lacking.delete(index)
    }
    return given
  }

  /** Drops the state of the previous round when a chunk of a later round arrives, because the previous round has ended. */
  #begin({ round, state }: ShardRound): void {
    if (this.#newest !== undefined && round <= this.#newest.round) return
    if (this.#newest !== undefined && this.#newest.state !== state) this.#values.delete(this.#job, this.#newest.state)
    this.#newest = { round, state }
  }
}

function idsOf({ state, data }: ShardRound): string[] {
  return [state, data]
}
