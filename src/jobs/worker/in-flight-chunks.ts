/**
 * The chunks of one job at a worker: waiting, running, or with a retained partial.
 *
 * A chunk's result is acknowledged in three steps. The worker sends the partial (`outcomes`) and retains it. The leader
 * folds it, and a checkpoint that includes it is replicated (leader/checkpointer.ts). Then the leader sends `covered`,
 * and the worker drops the partial. If the leader changes before that, the worker names its chunks to the next leader
 * (`in-flight`), which reattaches them to the job (leader/reattachment.ts) or drops them.
 */

import { IndexMap } from '../../lib/index-map.ts'
import type { PeerIdString } from '../../network/types.ts'
import { DIGEST_BYTES } from '../../tasks/execute/checkpoint.ts'
import {
  filterIndexed,
  type IndexedPack,
  type IndexedValue,
  NOTHING_PACKED,
  packIndexed,
  unpack,
  unpackIndexed
} from '../../tasks/values/pack.ts'

/** A batch from a leader, with the signature that the next leader checks. */
export interface SignedBatch {
  leader: PeerIdString
  epoch: number
  indices: readonly number[]
  /** The digests of the chunks, in the order of `indices`. */
  digests: Uint8Array
  /** The leader's signature. */
  seal: Uint8Array
}

/** The chunks of one batch that are in flight. */
export interface InFlightBatch {
  batch: SignedBatch
  /** Chunks with a retained partial, and the sizes of these partials in bytes. */
  retained: number[]
  sizes: number[]
  running: number[]
  waiting: number[]
}

/** Partials that arrived together. */
interface Arrival {
  partials: IndexedPack
  /** When they arrived, by the clock of the keeper. */
  at: number
  /** The number of them that are retained. */
  left: number
}

/** Partials that one value on disk contains. */
export interface StoredPartials {
  key: string
  bytes: number
  /** The number of them that are retained. */
  left: number
}

/** Keeps retained partials on disk. */
export interface PartialsKeeper {
  /** Called when partials arrive. Returns the time. */
  arrived(): number
  /** Called when no partial of a value is retained any more. */
  unused(stored: StoredPartials): void
}

interface InFlightChunk {
  batch: SignedBatch
  state: 'waiting' | 'running' | 'retained'
  /** The pack with the partial of the chunk, and the position of the partial in the pack. `undefined` before the chunk is done. */
  arrival: Arrival | undefined
  position: number
  /** The value on disk that contains the partial. `undefined` if there is none. */
  stored: StoredPartials | undefined
}

/** The approximate memory that a chunk and its partial use in addition to their bytes. */
const OVERHEAD_BYTES = 256

export class InFlightChunks {
  readonly #chunks = new IndexMap<InFlightChunk>()
  /** The chunks from an earlier leader that the present leader has not reattached. */
  readonly #detached = new Set<number>()
  readonly #keeper: PartialsKeeper | undefined
  /** The partials that the keeper has not stored, the oldest first. Some of them may be dropped. */
  #unstored: Arrival[] = []
  readonly #stored = new Set<StoredPartials>()
  #retainedBytes = 0

  /** @param keeper - default: partials are in memory only */
  constructor(keeper?: PartialsKeeper) {
    this.#keeper = keeper
  }

  get isEmpty(): boolean {
    return this.#chunks.size === 0
  }

  /** Whether there are chunks that the present leader has not reattached. */
  get hasDetached(): boolean {
    return this.#detached.size > 0
  }

  /** Bytes of the retained partials. */
  get retainedBytes(): number {
    return this.#retainedBytes
  }

  /** Adds chunks from the present leader. */
  give(batch: SignedBatch): void {
    for (const index of batch.indices) {
      this.#drop(index)
      this.#chunks.set(index, { batch, state: 'waiting', arrival: undefined, position: 0, stored: undefined })
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

  /** Returns how many of these chunks have not ended. */
  countPending(indices: Iterable<number>): number {
    let count = 0
    for (const index of indices) {
      const state = this.#chunks.get(index)?.state
      if (state === 'waiting' || state === 'running') count += 1
    }
    return count
  }

  /** The indices of the running chunks. */
  running(): number[] {
    const running: number[] = []
    for (const [index, { state }] of this.#chunks) if (state === 'running') running.push(index)
    return running
  }

  /** Retains partials. Returns the partials that the present leader waits for. */
  done(partials: IndexedPack): IndexedPack {
    const { indices, lengths } = partials
    const arrival = { partials, at: this.#keeper?.arrived() ?? 0, left: 0 }
    const told = new Uint8Array(indices.length)
    let count = 0
    for (let position = 0; position < indices.length; position++) {
      const index = indices[position]!
      const chunk = this.#chunks.get(index)
      if (chunk === undefined || chunk.state === 'retained') continue
      chunk.state = 'retained'
      chunk.arrival = arrival
      chunk.position = position
      arrival.left += 1
      this.#retainedBytes += lengths[position]! + OVERHEAD_BYTES
      if (this.#detached.has(index)) continue
      told[position] = 1
      count += 1
    }
    if (this.#keeper !== undefined && arrival.left > 0) this.#unstored.push(arrival)
    return count === indices.length ? partials : filterIndexed(partials, (_, position) => told[position] === 1)
  }

  /**
   * Drops a failed chunk. Returns whether the present leader waits for the chunk. If it does not, a later leader learns that the
   * worker does not have the chunk.
   */
  failed(index: number): boolean {
    const isKnown = this.#chunks.has(index) && !this.#detached.has(index)
    this.#drop(index)
    return isKnown
  }

  /** Drops chunks in any state. */
  drop(indices: Iterable<number>): void {
    for (const index of indices) this.#drop(index)
  }

  /** Drops the partials of the chunks before `next`, because a replicated checkpoint covers these chunks. */
  covered(next: number): void {
    for (const [index, { state }] of this.#chunks) if (index < next && state === 'retained') this.#drop(index)
  }

  /** Drops one partial, usually with a low index, because a checkpoint covers low indices soonest. Returns whether there was a partial. */
  evict(): boolean {
    for (const [index, { state }] of this.#chunks) {
      if (state !== 'retained') continue
      this.#drop(index)
      return true
    }
    return false
  }

  /** Records that the leader is gone, so that the next leader has to reattach the chunks. */
  leaderGone(): void {
    for (const index of this.#chunks.keys()) this.#detached.add(index)
  }

  /** Returns all chunks in flight, by batch. */
  batches(): InFlightBatch[] {
    const offers = new Map<SignedBatch, InFlightBatch>()
    for (const [index, { batch, state, arrival, position }] of this.#chunks) {
      let offer = offers.get(batch)
      if (offer === undefined) {
        offer = { batch, retained: [], sizes: [], running: [], waiting: [] }
        offers.set(batch, offer)
      }
      offer[state].push(index)
      if (arrival !== undefined) offer.sizes.push(arrival.partials.lengths[position]!)
    }
    return [...offers.values()]
  }

  /** Reattaches chunks for the present leader. Returns their retained partials, and the chunks that the worker does not have. */
  reattach(batch: SignedBatch): { retained: IndexedPack; missing: number[] } {
    const retained: IndexedValue[] = []
    const missing: number[] = []
    const unpacked = new Map<Arrival, Uint8Array[]>()
    for (const index of batch.indices) {
      const chunk = this.#chunks.get(index)
      if (chunk === undefined) {
        missing.push(index)
        continue
      }
      chunk.batch = batch
      this.#detached.delete(index)
      const { arrival, position } = chunk
      if (arrival === undefined) continue
      const values = unpacked.get(arrival) ?? unpack(arrival.partials)
      unpacked.set(arrival, values)
      retained.push({ index, bytes: values[position]! })
    }
    return { retained: packIndexed(retained), missing }
  }

  // --- Partials on disk

  /** Whether partials wait for {@link store}. */
  get hasUnstored(): boolean {
    return this.#unstored.length > 0
  }

  /**
   * Stores the retained partials that arrived until `until`, by batch, and stops when they have `most` bytes. Partials that were dropped meanwhile are
   * never stored. Returns the bytes.
   */
  store(
    until: number,
    most: number,
    store: (batch: SignedBatch, partials: readonly IndexedValue[]) => StoredPartials
  ): number {
    const found = new Map<SignedBatch, IndexedValue[]>()
    const later: Arrival[] = []
    let bytes = 0
    for (const arrival of this.#unstored) {
      if (arrival.left === 0) continue
      if (arrival.at > until || bytes >= most) {
        later.push(arrival)
        continue
      }
      for (const value of unpackIndexed(arrival.partials)) {
        const chunk = this.#chunks.get(value.index)
        if (chunk?.arrival !== arrival) continue
        const partials = found.get(chunk.batch) ?? []
        partials.push(value)
        found.set(chunk.batch, partials)
        bytes += value.bytes.byteLength + OVERHEAD_BYTES
      }
    }
    this.#unstored = later
    for (const [batch, partials] of found) {
      const stored = store(batch, partials)
      this.#stored.add(stored)
      for (const { index } of partials) this.#chunks.get(index)!.stored = stored
    }
    return bytes
  }

  /** Adds partials that an earlier process has stored. */
  restore(batch: SignedBatch, partials: IndexedPack, stored: StoredPartials): void {
    const arrival = { partials, at: 0, left: partials.indices.length }
    this.#stored.add(stored)
    for (const [position, index] of partials.indices.entries()) {
      this.#drop(index)
      this.#chunks.set(index, { batch, state: 'retained', arrival, position, stored })
      this.#detached.add(index)
      this.#retainedBytes += partials.lengths[position]! + OVERHEAD_BYTES
    }
  }

  /** Handles that the job is forgotten, and with it all chunks. */
  forget(): void {
    for (const stored of this.#stored) this.#keeper?.unused(stored)
  }

  #drop(index: number): void {
    const chunk = this.#chunks.get(index)
    if (chunk === undefined) return
    const { arrival, position, stored } = chunk
    if (arrival !== undefined) {
      this.#retainedBytes -= arrival.partials.lengths[position]! + OVERHEAD_BYTES
      arrival.left -= 1
      // The arrival may wait for `store` for a while.
      if (arrival.left === 0) arrival.partials = NOTHING_PACKED
    }
    this.#chunks.delete(index)
    if (this.#detached.size > 0) this.#detached.delete(index)
    if (stored === undefined) return
    stored.left -= 1
    if (stored.left > 0) return
    this.#stored.delete(stored)
    this.#keeper?.unused(stored)
  }
}

/** The digest of the chunk at a position of a batch. */
export function digestAt({ digests }: Pick<SignedBatch, 'digests'>, position: number): Uint8Array {
  return digests.subarray(position * DIGEST_BYTES, (position + 1) * DIGEST_BYTES)
}

/** While the partials of all jobs use more than `bytes` bytes, drops partials of the job that retains the most bytes. */
export function evictAbove(bytes: number, jobs: readonly { inFlight: InFlightChunks }[]): void {
  let sum = jobs.reduce((sum, { inFlight }) => sum + inFlight.retainedBytes, 0)
  while (sum > bytes) {
    const { inFlight: most } = jobs.reduce((a, b) => (b.inFlight.retainedBytes > a.inFlight.retainedBytes ? b : a))
    const before = most.retainedBytes
    if (!most.evict()) return
    sum += most.retainedBytes - before
  }
}
