import { IndexHeap } from './index-heap.ts'

/** Heap key of chunks that were given back without a worker to avoid. */
const ANYBODY = ''

/**
 * The chunks of one job that wait for a worker, ordered by index. `split` yields indices in ascending order, so those
 * that were never given out are a range, two numbers, however many they are; only what came back (its worker died, its
 * `run` threw) is held one by one.
 */
export class ReadyQueue {
  #nextFresh = 0
  #end = 0
  /** By the worker that should not get them again. */
  readonly #returned = new Map<string, IndexHeap>()
  #returnedCount = 0

  get size(): number {
    return this.#end - this.#nextFresh + this.#returnedCount
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
    if (heap !== undefined) return heap.peek()
    return this.#nextFresh < this.#end ? this.#nextFresh : undefined
  }

  take(worker: string, evenAvoided: boolean): number | undefined {
    const heap = this.#lowestHeap(worker, evenAvoided)
    if (heap !== undefined) {
      this.#returnedCount -= 1
      return heap.pop()
    }
    return this.#nextFresh < this.#end ? this.#nextFresh++ : undefined
  }

  /** A worker is gone: nothing needs to avoid it any more. */
  forgetWorker(worker: string): void {
    const heap = this.#returned.get(worker)
    if (heap === undefined || worker === ANYBODY) return
    this.#returned.delete(worker)
    this.#returnedCount -= heap.size
    for (let index = heap.pop(); index !== undefined; index = heap.pop()) this.giveBack(index)
  }

  // Whatever came back was given out before, so it is below every fresh index.
  #lowestHeap(worker: string, evenAvoided: boolean): IndexHeap | undefined {
    if (this.#returnedCount === 0) return undefined
    let lowest: IndexHeap | undefined
    let least = Number.POSITIVE_INFINITY
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
