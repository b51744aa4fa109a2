/** The chunks of one job that no worker has: waiting ones, and ones that workers retain from earlier leaderships. */
import { IndexHeap } from '../../lib/index-heap.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { OfferedChunk } from './types.ts'

/** Heap key of returned chunks without a worker to avoid. */
const ANYBODY = ''

/**
 * The chunks that wait for a worker, ordered by index. `split` yields ascending indices, so fresh chunks (never
 * assigned) are a range of two numbers; only returned chunks (the worker died, `run` threw) are stored one by one.
 */
export class ReadyQueue {
  #nextFresh: number
  #end: number
  /** Returned chunks, by the worker to avoid. */
  readonly #returned = new Map<string, IndexHeap>()
  #returnedCount = 0
  /** Fresh chunks that were removed from the range. */
  readonly #removed = new Set<number>()

  /** @param first - the first index that will be added */
  constructor(first = 0) {
    this.#nextFresh = first
    this.#end = first
  }

  get size(): number {
    return this.#end - this.#nextFresh - this.#removed.size + this.#returnedCount
  }

  /** One above the highest index that was ever added. */
  get end(): number {
    return this.#end
  }

  /** Adds the next `count` chunks of `split`. */
  add(count: number): void {
    this.#end += count
  }

  /** Puts a chunk back; `avoid` names the worker where `run` threw. */
  giveBack(index: number, avoid: string = ANYBODY): void {
    const heap = this.#returned.get(avoid) ?? new IndexHeap()
    this.#returned.set(avoid, heap)
    heap.push(index)
    this.#returnedCount += 1
  }

  /** The lowest index that `worker` may take; with `evenAvoided`, including chunks that should avoid it. */
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

  /** Removes a given chunk, if it is fresh. Returns whether it was. */
  removeFresh(index: number): boolean {
    if (index < this.#nextFresh || index >= this.#end || this.#removed.has(index)) return false
    this.#removed.add(index)
    return true
  }

  /** Removes a given chunk, fresh or returned. Returns whether it was here. */
  remove(index: number): boolean {
    if (this.removeFresh(index)) return true
    for (const heap of this.#returned.values()) {
      if (!heap.remove(index)) continue
      this.#returnedCount -= 1
      return true
    }
    return false
  }

  /** A worker is gone: no chunk needs to avoid it any more. */
  forgetWorker(worker: string): void {
    const heap = this.#returned.get(worker)
    if (heap === undefined || worker === ANYBODY) return
    this.#returned.delete(worker)
    this.#returnedCount -= heap.size
    for (let index = heap.pop(); index !== undefined; index = heap.pop()) this.giveBack(index)
  }

  /** The lowest fresh index. */
  #fresh(): number | undefined {
    while (this.#removed.delete(this.#nextFresh)) this.#nextFresh += 1
    return this.#nextFresh < this.#end ? this.#nextFresh : undefined
  }

  /** The heap with the lowest returned chunk, if that is below every fresh one. */
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

/** An existing partial beats a running chunk, and that beats a waiting one. */
const BETTER = { waiting: 0, running: 1, held: 2 } as const

/**
 * The unclaimed chunks that workers retain from earlier leaderships. They stay with their workers until they may run.
 */
export class RetainedChunks {
  readonly #offers = new Map<number, OfferedChunk>()
  /** The indices of the offers, and of some offers that are gone. */
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
