/**
 * What a worker has of one job: chunks that wait, chunks that run, and partials that no checkpoint covers yet. It outlives leaderships: the
 * next leader is offered all of it, and says what it wants.
 */

import { IndexMap } from '../../lib/index-map.ts'
import type { PeerIdString } from '../../network/types.ts'
import { DIGEST_BYTES } from '../../tasks/execute/checkpoint.ts'
import { filterIndexed, type IndexedPack, type IndexedValue, packIndexed, unpack } from '../../tasks/values/pack.ts'

/** A batch that a leader gave, as it can be shown to the next one. */
export interface GivenBatch {
  leader: PeerIdString
  epoch: number
  indices: readonly number[]
  /** Of the chunks, one after the other. */
  digests: Uint8Array
  /** The leader's signature. */
  seal: Uint8Array
}

/** What there is of one batch. */
export interface Offer {
  batch: GivenBatch
  /** Chunks whose partials are there, and the sizes of these in bytes. */
  held: number[]
  sizes: number[]
  running: number[]
  waiting: number[]
}

interface ChunkOnHand {
  batch: GivenBatch
  state: 'waiting' | 'running' | 'held'
  /** What its partial came with, and where in that it is. */
  partials: IndexedPack | undefined
  position: number
}

/** What a chunk and a partial take beside their bytes, about. */
const OVERHEAD_BYTES = 256

export class InFlightChunks {
  readonly #chunks = new IndexMap<ChunkOnHand>()
  /** What an earlier leader gave, and the present one has not claimed. */
  readonly #unclaimed = new Set<number>()
  #heldBytes = 0

  /** Whether there is nothing. */
  get isEmpty(): boolean {
    return this.#chunks.size === 0
  }

  /** Whether there is something that the present leader has not said anything of. */
  get hasUnclaimed(): boolean {
    return this.#unclaimed.size > 0
  }

  /** What the partials take that are held. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /** The present leader has given these chunks. */
  give(batch: GivenBatch): void {
    for (const index of batch.indices) {
      this.#drop(index)
      this.#chunks.set(index, { batch, state: 'waiting', partials: undefined, position: 0 })
    }
  }

  start(indices: Iterable<number>): void {
    for (const index of indices) {
      const chunk = this.#chunks.get(index)
      if (chunk !== undefined) chunk.state = 'running'
    }
  }

  isRunning(index: number): boolean {
    return this.#chunks.get(index)?.state === 'running'
  }

  /** How many of these chunks have not ended. */
  countPending(indices: Iterable<number>): number {
    let count = 0
    for (const index of indices) {
      const state = this.#chunks.get(index)?.state
      if (state === 'waiting' || state === 'running') count += 1
    }
    return count
  }

  /** Chunks that run. */
  running(): number[] {
    const running: number[] = []
    for (const [index, { state }] of this.#chunks) if (state === 'running') running.push(index)
    return running
  }

  /** Chunks have returned. Gives those of the partials that the present leader is to be told. */
  done(partials: IndexedPack): IndexedPack {
    const { indices, lengths } = partials
    const told = new Uint8Array(indices.length)
    let count = 0
    for (let position = 0; position < indices.length; position++) {
      const index = indices[position]!
      const chunk = this.#chunks.get(index)
      if (chunk === undefined || chunk.state === 'held') continue
      chunk.state = 'held'
      chunk.partials = partials
      chunk.position = position
      this.#heldBytes += lengths[position]! + OVERHEAD_BYTES
      if (this.#unclaimed.has(index)) continue
      told[position] = 1
      count += 1
    }
    return count === indices.length ? partials : filterIndexed(partials, (_, position) => told[position] === 1)
  }

  /** A chunk has failed. Whether the present leader is to be told: one that has not asked for it learns that it is not there. */
  failed(index: number): boolean {
    const isKnown = this.#chunks.has(index) && !this.#unclaimed.has(index)
    this.#drop(index)
    return isKnown
  }

  /** These are not wanted, or not to be had, any more. */
  drop(indices: Iterable<number>): void {
    for (const index of indices) this.#drop(index)
  }

  /** Others hold what has become of the chunks before `next`. */
  covered(next: number): void {
    for (const [index, { state }] of this.#chunks) if (index < next && state === 'held') this.#drop(index)
  }

  /** Gives up a partial, one of the lowest as a rule: those are the likeliest to be covered soon. Whether there was one. */
  evict(): boolean {
    for (const [index, { state }] of this.#chunks) {
      if (state !== 'held') continue
      this.#drop(index)
      return true
    }
    return false
  }

  /** The leader is gone: the next one has to say what it wants. */
  leaderGone(): void {
    for (const index of this.#chunks.keys()) this.#unclaimed.add(index)
  }

  /** All there is, by the batches with which it came. */
  offers(): Offer[] {
    const offers = new Map<GivenBatch, Offer>()
    for (const [index, { batch, state, partials, position }] of this.#chunks) {
      let offer = offers.get(batch)
      if (offer === undefined) {
        offer = { batch, held: [], sizes: [], running: [], waiting: [] }
        offers.set(batch, offer)
      }
      offer[state].push(index)
      if (partials !== undefined) offer.sizes.push(partials.lengths[position]!)
    }
    return [...offers.values()]
  }

  /** The present leader wants these. Returns the partials that are there already, and the chunks that are not there. */
  claim(batch: GivenBatch): { held: IndexedPack; missing: number[] } {
    const held: IndexedValue[] = []
    const missing: number[] = []
    const unpacked = new Map<IndexedPack, Uint8Array[]>()
    for (const index of batch.indices) {
      const chunk = this.#chunks.get(index)
      if (chunk === undefined) {
        missing.push(index)
        continue
      }
      chunk.batch = batch
      this.#unclaimed.delete(index)
      const { partials, position } = chunk
      if (partials === undefined) continue
      const values = unpacked.get(partials) ?? unpack(partials)
      unpacked.set(partials, values)
      held.push({ index, bytes: values[position]! })
    }
    return { held: packIndexed(held), missing }
  }

  #drop(index: number): void {
    const chunk = this.#chunks.get(index)
    if (chunk === undefined) return
    if (chunk.partials !== undefined) this.#heldBytes -= chunk.partials.lengths[chunk.position]! + OVERHEAD_BYTES
    this.#chunks.delete(index)
    if (this.#unclaimed.size > 0) this.#unclaimed.delete(index)
  }
}

/** The digest of the chunk at a position of a batch. */
export function digestAt({ digests }: Pick<GivenBatch, 'digests'>, position: number): Uint8Array {
  return digests.subarray(position * DIGEST_BYTES, (position + 1) * DIGEST_BYTES)
}
