/** The chunks of one job that no worker of this leadership has: those that wait for one, and those that workers retain from earlier leaderships. */
import { IndexHeap } from '../../lib/index-heap.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { OfferedChunk } from './types.ts'

/** Heap key of chunks that were given back without a worker to avoid. */
const ANYBODY = ''

/**
 * The chunks that wait for a worker, ordered by index. `split` yields indices in ascending order, so fresh chunks, which were never assigned, are
 * a range of two numbers; only chunks that came back (the worker died, `run` threw) are kept one by one.
 */
export class ReadyQueue {
  #nextFresh: number
  #end: number
  /** Chunks that came back, by the worker that should not get them again. */
  readonly #returned = new Map<string, IndexHeap>()
  #returnedCount = 0
  /** Chunks of the range that were taken out. */
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

  /** The lowest index that `worker` may take; with `evenAvoided`, also of chunks that it should not get again. */
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

  /** Takes a certain chunk out, if it is fresh. Whether it was there. */
  removeFresh(index: number): boolean {
    if (index < this.#nextFresh || index >= this.#end || this.#removed.has(index)) return false
    this.#removed.add(index)
    return true
  }

  /** Takes a certain chunk out, wherever it is. Whether it was there. */
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

  /** The heap of the lowest chunk that came back, if it is below every fresh one. */
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

/** A partial that is there is better than a chunk that runs, and that is better than one that waits. */
const BETTER = { waiting: 0, running: 1, held: 2 } as const

/** The chunks of a job that workers retain from earlier leaderships and that are not claimed. They stay where they are until they may run. */
export class RetainedChunks {
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

  /** Adds an offer; of two offers of one chunk, returns the one that is not needed. */
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
