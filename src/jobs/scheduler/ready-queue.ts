import { IndexHeap } from '../../lib/index-heap.ts'

/** Heap key of chunks that were given back without a worker to avoid. */
const ANYBODY = ''

/**
 * The chunks of one job that wait for a worker, ordered by index. `split` yields indices in ascending order, so those
 * that were never given out are a range, two numbers, however many they are; only what came back (its worker died, its
 * `run` threw) is held one by one.
 */
export class ReadyQueue {
  #nextFresh: number
  #end: number
  /** By the worker that should not get them again. */
  readonly #returned = new Map<string, IndexHeap>()
  #returnedCount = 0
  /** Those of the range that are not there any more. */
  readonly #removed = new Set<number>()

  /** @param first - the first index that there will be */
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

  /** Puts a chunk back that had been taken; `avoid` names the worker where its `run` threw. */
  giveBack(index: number, avoid: string = ANYBODY): void {
    let heap = this.#returned.get(avoid)
    if (heap === undefined) {
      heap = new IndexHeap()
      this.#returned.set(avoid, heap)
    }
    heap.push(index)
    this.#returnedCount += 1
  }

  /** The lowest index that `worker` may take; with `evenAvoided`, what it should avoid as well. */
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

  /** Whether a certain chunk is there and was never given out. */
  hasFresh(index: number): boolean {
    return index >= this.#nextFresh && index < this.#end && !this.#removed.has(index)
  }

  /** Takes a certain chunk out, if it was never given out. Whether it was there. */
  removeFresh(index: number): boolean {
    if (!this.hasFresh(index)) return false
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

  /** A worker is gone: nothing needs to avoid it any more. */
  forgetWorker(worker: string): void {
    const heap = this.#returned.get(worker)
    if (heap === undefined || worker === ANYBODY) return
    this.#returned.delete(worker)
    this.#returnedCount -= heap.size
    for (let index = heap.pop(); index !== undefined; index = heap.pop()) this.giveBack(index)
  }

  /** The lowest that was never given out. */
  #fresh(): number | undefined {
    while (this.#removed.delete(this.#nextFresh)) this.#nextFresh += 1
    return this.#nextFresh < this.#end ? this.#nextFresh : undefined
  }

  /** Where the lowest of those is that came back, if there is one below every fresh one. */
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
