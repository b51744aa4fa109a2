/**
 * What workers have of a job from earlier leaderships, and nobody has asked for yet. It is claimed in the order of the indices, as window and
 * budget allow: until then it stays where it is.
 */

import { IndexHeap } from '../../lib/index-heap.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { OfferedChunk } from './types.ts'

/** A partial that is there is better than a chunk that runs, and that is better than one that waits. */
const BETTER = { waiting: 0, running: 1, held: 2 } as const

export class Claims {
  readonly #offers = new Map<number, OfferedChunk>()
  /** The indices of the offers, and some whose offers are gone. */
  readonly #order = new IndexHeap()
  /** How much each worker has offered. */
  readonly #counts = new Map<PeerIdString, number>()

  get size(): number {
    return this.#offers.size
  }

  /** How much the worker has offered that offered most. */
  get mostOfOne(): number {
    return Math.max(0, ...this.#counts.values())
  }

  /** Adds an offer; where there are two for one chunk, returns the one that is not needed. */
  add(chunk: OfferedChunk): OfferedChunk | undefined {
    this.#counts.set(chunk.worker, (this.#counts.get(chunk.worker) ?? 0) + 1)
    const other = this.#offers.get(chunk.index)
    if (other?.worker !== chunk.worker && other !== undefined && BETTER[chunk.state] <= BETTER[other.state])
      return chunk
    this.#offers.set(chunk.index, chunk)
    if (other === undefined) this.#order.push(chunk.index)
    return other?.worker === chunk.worker ? undefined : other
  }

  has(index: number): boolean {
    return this.#offers.has(index)
  }

  /** Whether a worker has offered something of it. */
  hasOf(worker: PeerIdString): boolean {
    for (const chunk of this.#offers.values()) if (chunk.worker === worker) return true
    return false
  }

  /** The lowest chunk that is offered. */
  lowest(): OfferedChunk | undefined {
    for (let index = this.#order.peek(); index !== undefined; index = this.#order.peek()) {
      const chunk = this.#offers.get(index)
      if (chunk !== undefined) return chunk
      this.#order.pop()
    }
    return undefined
  }

  /** The offer is taken, or of no use. */
  delete(index: number): void {
    this.#offers.delete(index)
  }

  /** A worker is gone, and with it what it had. */
  forgetWorker(worker: PeerIdString): void {
    this.#counts.delete(worker)
    for (const [index, chunk] of this.#offers) if (chunk.worker === worker) this.#offers.delete(index)
  }
}
