/**
 * What a worker has of one job: chunks that wait, chunks that run, and partials that no checkpoint covers yet. It outlives leaderships: the
 * next leader is offered all of it, and says what it wants.
 */

import { IndexMap } from '../../lib/index-map.ts'
import type { PeerIdString } from '../../network/types.ts'
import { DIGEST_BYTES } from '../../tasks/execute/checkpoint.ts'
import { filterIndexed, type IndexedPack, type IndexedValue, packIndexed, unpack } from '../../tasks/values/pack.ts'

/** A batch that a leader gave, as it can be shown to the next one. */
export interface SignedBatch {
  leader: PeerIdString
  epoch: number
  indices: readonly number[]
  /** Of the chunks, one after the other. */
  digests: Uint8Array
  /** The leader's signature. */
  seal: Uint8Array
}

/** What there is of one batch. */
export interface InFlightBatch {
  batch: SignedBatch
  /** Chunks whose partials are there, and the sizes of these in bytes. */
  retained: number[]
  sizes: number[]
  running: number[]
  waiting: number[]
}

interface InFlightChunk {
  batch: SignedBatch
  state: 'waiting' | 'running' | 'retained'
  /** What its partial came with, and where in that it is. */
  partials: IndexedPack | undefined
  position: number
}

/** What a chunk and a partial take beside their bytes, about. */
const OVERHEAD_BYTES = 256

export class InFlightChunks {
  readonly #chunks = new IndexMap<InFlightChunk>()
  /** What an earlier leader gave, and the present one has not claimed. */
  readonly #detached = new Set<number>()
  #retainedBytes = 0

  /** Whether there is nothing. */
  get isEmpty(): boolean {
    return this.#chunks.size === 0
  }

  /** Whether there is something that the present leader has not said anything of. */
  get hasDetached(): boolean {
    return this.#detached.size > 0
  }

  /** What the partials take that are held. */
  get retainedBytes(): number {
    return this.#retainedBytes
  }

  /** The present leader has given these chunks. */
  give(batch: SignedBatch): void {
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
      if (chunk === undefined || chunk.state === 'retained') continue
      chunk.state = 'retained'
      chunk.partials = partials
      chunk.position = position
      this.#retainedBytes += lengths[position]! + OVERHEAD_BYTES
      if (this.#detached.has(index)) continue
      told[position] = 1
      count += 1
    }
    return count === indices.length ? partials : filterIndexed(partials, (_, position) => told[position] === 1)
  }

  /** A chunk has failed. Whether the present leader is to be told: one that has not asked for it learns that it is not there. */
  failed(index: number): boolean {
    const isKnown = this.#chunks.has(index) && !this.#detached.has(index)
    this.#drop(index)
    return isKnown
  }

  /** These are not wanted, or not to be had, any more. */
  drop(indices: Iterable<number>): void {
    for (const index of indices) this.#drop(index)
  }

  /** Others hold what has become of the chunks before `next`. */
  covered(next: number): void {
    for (const [index, { state }] of this.#chunks) if (index < next && state === 'retained') this.#drop(index)
  }

  /** Gives up a partial, one of the lowest as a rule: those are the likeliest to be covered soon. Whether there was one. */
  evict(): boolean {
    for (const [index, { state }] of this.#chunks) {
      if (state !== 'retained') continue
      this.#drop(index)
      return true
    }
    return false
  }

  /** The leader is gone: the next one has to say what it wants. */
  leaderGone(): void {
    for (const index of this.#chunks.keys()) this.#detached.add(index)
  }

  /** All there is, by the batches with which it came. */
  batches(): InFlightBatch[] {
    const offers = new Map<SignedBatch, InFlightBatch>()
    for (const [index, { batch, state, partials, position }] of this.#chunks) {
      let offer = offers.get(batch)
      if (offer === undefined) {
        offer = { batch, retained: [], sizes: [], running: [], waiting: [] }
        offers.set(batch, offer)
      }
      offer[state].push(index)
      if (partials !== undefined) offer.sizes.push(partials.lengths[position]!)
    }
    return [...offers.values()]
  }

  /** The present leader wants these. Returns the partials that are there already, and the chunks that are not there. */
  reattach(batch: SignedBatch): { retained: IndexedPack; missing: number[] } {
    const retained: IndexedValue[] = []
    const missing: number[] = []
    const unpacked = new Map<IndexedPack, Uint8Array[]>()
    for (const index of batch.indices) {
      const chunk = this.#chunks.get(index)
      if (chunk === undefined) {
        missing.push(index)
        continue
      }
      chunk.batch = batch
      this.#detached.delete(index)
      const { partials, position } = chunk
      if (partials === undefined) continue
      const values = unpacked.get(partials) ?? unpack(partials)
      unpacked.set(partials, values)
      retained.push({ index, bytes: values[position]! })
    }
    return { retained: packIndexed(retained), missing }
  }

  #drop(index: number): void {
    const chunk = this.#chunks.get(index)
    if (chunk === undefined) return
    if (chunk.partials !== undefined) this.#retainedBytes -= chunk.partials.lengths[chunk.position]! + OVERHEAD_BYTES
    this.#chunks.delete(index)
    if (this.#detached.size > 0) this.#detached.delete(index)
  }
}

/** The digest of the chunk at a position of a batch. */
export function digestAt({ digests }: Pick<SignedBatch, 'digests'>, position: number): Uint8Array {
  return digests.subarray(position * DIGEST_BYTES, (position + 1) * DIGEST_BYTES)
}

/** Gives up partials of the job that retains most, while all of them together take more than `bytes`. */
export function evictAbove(bytes: number, jobs: readonly InFlightChunks[]): void {
  let sum = jobs.reduce((sum, { retainedBytes }) => sum + retainedBytes, 0)
  while (sum > bytes) {
    const most = jobs.reduce((a, b) => (b.retainedBytes > a.retainedBytes ? b : a))
    const before = most.retainedBytes
    if (!most.evict()) return
    sum += most.retainedBytes - before
  }
}
