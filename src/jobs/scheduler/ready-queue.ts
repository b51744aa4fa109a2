/** The chunks of one job that are not assigned: waiting chunks, and chunks that workers retain from earlier leaderships. */
import { IndexHeap } from '../../lib/index-heap.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { OfferedChunk } from './types.ts'

/** The heap key of returned chunks that may go to any worker. */
const ANYBODY = ''

/**
 * The chunks that wait for a worker, ordered by index. `split` yields ascending indices, so fresh chunks (never
 * assigned) are stored as the two ends of a range. Only returned chunks (the worker died, `run` threw) are stored one by one.
 */
export class ReadyQueue {
  #nextFresh: number
  #end: number
  /** The returned chunks, by the worker that must not get them. */
  readonly #returned = new Map<string, IndexHeap>()
  #returnedCount = 0
  /** The fresh chunks that were removed from the range. */
  readonly #removed = new Set<number>()

  /** @param first - the first index that will be added */
  constructor(first = 0) {
    this.#nextFresh = first
    this.#end = first
  }

  get size(): number {
    return this.#end - this.#nextFresh - this.#removed.size + this.#returnedCount
  }

  /** The highest index that was ever added, plus one. */
  get end(): number {
    return this.#end
  }

  /** Adds the next `count` chunks of `split`. */
  add(count: number): void {
    this.#end += count
  }

  /** Puts a chunk back into the queue. `avoid` is the worker where `run` threw. */
  giveBack(index: number, avoid: string = ANYBODY): void {
    const heap = this.#returned.get(avoid) ?? new IndexHeap()
    this.#returned.set(avoid, heap)
    heap.push(index)
    this.#returnedCount += 1
  }

  /** Returns the lowest index that `worker` may take. With `evenAvoided`, includes the chunks that should avoid `worker`. */
  peek(worker: string, evenAvoided: boolean): number | undefined {
    const heap = this.#lowestHeap(worker, evenAvoided)
    return heap === undefined ? this.#fresh() : heap.peek()
  }

  take(worker: string, evenAvoided: boolean): number | undefined {
    const heap = this.#lowestHeap(worker, evenAvoided)
    if (heap !== undefined) {
      this.#returnedCount -= 1
      return heap.pop()
    }
    const index = this.#fresh()
    if (index !== undefined) this.#nextFresh += 1
    return index
  }

  /** Removes a given chunk if the chunk is fresh. Returns whether the chunk was removed. */
  removeFresh(index: number): boolean {
    if (index < this.#nextFresh || index >= this.#end || this.#removed.has(index)) return false
    this.#removed.add(index)
    return true
  }

  /** Removes a given fresh or returned chunk. Returns whether the chunk was in the queue. */
  remove(index: number): boolean {
    if (this.removeFresh(index)) return true
    for (const heap of this.#returned.values()) {
      if (!heap.remove(index)) continue
      this.#returnedCount -= 1
      return true
    }
    return false
  }

  /** Forgets a worker that is gone, so that no chunk has to avoid this worker any more. */
  forgetWorker(worker: string): void {
    const heap = this.#returned.get(worker)
    if (heap === undefined || worker === ANYBODY) return
    this.#returned.delete(worker)
    this.#returnedCount -= heap.size
    for (let index = heap.pop(); index !== undefined; index = heap.pop()) this.giveBack(index)
  }

  /** Returns the lowest index of a fresh chunk. */
  #fresh(): number | undefined {
    while (this.#removed.delete(this.#nextFresh)) this.#nextFresh += 1
    return this.#nextFresh < this.#end ? this.#nextFresh : undefined
  }

  /** Returns the heap with the lowest returned chunk, if that chunk is below every fresh chunk. */
  #lowestHeap(worker: string, evenAvoided: boolean): IndexHeap | undefined {
    if (this.#returnedCount === 0) return undefined
    let lowest: IndexHeap | undefined
    let least = this.#fresh() ?? Number.POSITIVE_INFINITY
    for (const [avoid, heap] of this.#returned) {
      const index = heap.peek()
      if (index === undefined || index >= least) continue
      if (avoid === worker && worker !== ANYBODY && !evenAvoided) continue
      least = index
      lowest = heap
    }
    return lowest
  }
}

/** Of two offers of one chunk, an existing partial is better than a running chunk, and a running chunk is better than a waiting chunk. */
const BETTER = { waiting: 0, running: 1, held: 2 } as const

/**
 * The unclaimed chunks that workers retain from earlier leaderships. These chunks stay with their workers until the chunks may run.
 */
export class RetainedChunks {
  readonly #offers = new Map<number, OfferedChunk>()
  /** The indices of the offers, and also of some offers that were removed. */
  readonly #order = new IndexHeap()
  /** Number of chunks that each worker has offered. */
  readonly #counts = new Map<PeerIdString, number>()

  get size(): number {
    return this.#offers.size
  }

  /** The largest number of chunks that one worker has offered. */
  get mostOfOne(): number {
    return Math.max(0, ...this.#counts.values())
  }

  /** Adds an offer. Of two offers of one chunk, returns the worse one. */
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

  isAt(worker: PeerIdString): boolean {
    return [...this.#offers.values()].some(chunk => chunk.worker === worker)
  }

  lowest(): OfferedChunk | undefined {
    for (let index = this.#order.peek(); index !== undefined; index = this.#order.peek()) {
      const chunk = this.#offers.get(index)
      if (chunk !== undefined) return chunk
      this.#order.pop()
    }
    return undefined
  }

  delete(index: number): void {
    this.#offers.delete(index)
  }

  forgetWorker(worker: PeerIdString): void {
    this.#counts.delete(worker)
    for (const [index, chunk] of this.#offers) if (chunk.worker === worker) this.#offers.delete(index)
  }
}
