import { type IndexedPack, type IndexedValue, packIndexed, unpackIndexed } from '../../tasks/values/pack.ts'
import { type ShardRound, shardRoundOf, withValues } from '../../tasks/values/shard-round.ts'
import type { RunMode } from '../scheduler/index.ts'
import type { ValueCache } from './value-cache.ts'

/** A chunk, and as far as they are there its values: it holds them, whatever is dropped from the cache. */
interface Chunk {
  mode: RunMode
  bytes: Uint8Array
  reference: ShardRound
  state: Uint8Array | undefined
  data: Uint8Array | undefined
}

/** Chunks that can be run, in one way. */
export interface Runnable {
  mode: RunMode
  chunks: IndexedPack
}

/**
 * The chunks of one iteration at a worker, as far as it is about what they refer to: which of them lack a value, and what the others are made
 * of. Of another job it has nothing to do.
 */
export class ShardRoundChunks {
  readonly #job: string
  readonly #values: ValueCache
  readonly #lacking = new Map<number, Chunk>()
  readonly #complete = new Map<number, Chunk>()
  /** Asked for, of the present leader. */
  readonly #asked = new Set<string>()
  /** The newest round that anything was given of, and its state. */
  #newest: { round: number; state: string } | undefined

  constructor(job: string, values: ValueCache) {
    this.#job = job
    this.#values = values
  }

  /** Takes the chunks in that lack a value; returns those that can be run. */
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

  /** What these chunks lack and nobody has asked for: to be asked for now. */
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

  /** These have come; returns the chunks that lack nothing any more. */
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

  /** These are not to be had: gives up the chunks that need them. */
  without(ids: readonly string[]): number[] {
    for (const id of ids) this.#asked.delete(id)
    const lost = new Set(ids)
    return this.#give(
      ({ reference, state, data }) =>
        (state === undefined && lost.has(reference.state)) || (data === undefined && lost.has(reference.data))
    )
  }

  /** The chunks as a thread takes them: what they refer to is put behind each. */
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

  /** These are not wanted any more. */
  drop(indices: Iterable<number>): void {
    for (const index of indices) {
      this.#lacking.delete(index)
      this.#complete.delete(index)
    }
  }

  /** Gives up those that lack something and are to be announced. */
  dropAnnounced(): number[] {
    return this.#give(({ mode }) => mode === 'announced')
  }

  /** Gives up all; returns those that lacked something. */
  clear(): number[] {
    this.#complete.clear()
    return this.#give(() => true)
  }

  /** Nobody answers what was asked for. */
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

  /** A chunk of a later round shows that the round before is over. */
  #begin({ round, state }: ShardRound): void {
    if (this.#newest !== undefined && round <= this.#newest.round) return
    if (this.#newest !== undefined && this.#newest.state !== state) this.#values.delete(this.#job, this.#newest.state)
    this.#newest = { round, state }
  }
}

function idsOf({ state, data }: ShardRound): string[] {
  return [state, data]
}
