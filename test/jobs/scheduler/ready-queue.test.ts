import { describe, expect, it } from 'vitest'
import { ReadyQueue } from '../../../src/jobs/scheduler/ready-queue.ts'
import { IndexHeap } from '../../../src/lib/index-heap.ts'
import fc from '../../properties.ts'

describe('the ready queue', () => {
  it('the ready queue returns the lowest index first, even if that chunk was given back', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant('add'), fc.constant('take'), fc.nat())), steps => {
        const queue = new ReadyQueue()
        const waiting: number[] = []
        const taken: number[] = []
        let end = 0
        for (const step of steps) {
          if (step === 'add') {
            queue.add(3)
            waiting.push(end++, end++, end++)
          } else if (step === 'take') {
            const lowest = waiting.sort((a, b) => a - b).shift()
            expect(queue.peek('w', false)).toBe(lowest)
            expect(queue.take('w', false)).toBe(lowest)
            if (lowest !== undefined) taken.push(lowest)
          } else if (taken.length > 0) {
            const [index] = taken.splice(Number(step) % taken.length, 1)
            queue.giveBack(index!)
            waiting.push(index!)
          }
          expect(queue.size).toBe(waiting.length)
        }
      })
    )
  })

  it('the ready queue does not give a failed chunk to the worker where the chunk failed, until that worker is gone', () => {
    const queue = new ReadyQueue()
    queue.add(2)
    queue.take('a', false)
    queue.giveBack(0, 'a')
    expect(queue.peek('a', false)).toBe(1)
    expect(queue.peek('a', true)).toBe(0)
    expect(queue.peek('b', false)).toBe(0)
    queue.forgetWorker('a')
    expect(queue.peek('a', false)).toBe(0)
    expect(queue.size).toBe(2)
  })
})

describe('a chunk that is taken out of the ready queue', () => {
  it('a chunk that is removed from the ready queue is not taken any more, and is taken before fresh chunks after it is given back', () => {
    const queue = new ReadyQueue()
    queue.add(4)
    queue.take('a', false)
    queue.giveBack(0)
    expect([queue.remove(0), queue.remove(2), queue.remove(2), queue.remove(9)]).toEqual([true, true, false, false])
    expect(queue.size).toBe(2)
    // The worker of chunk 2 is gone, so chunk 2 returns while chunk 1 still waits. Then chunk 2 may be removed again.
    queue.giveBack(2)
    expect(queue.size).toBe(3)
    expect(queue.peek('a', false)).toBe(1)
    expect(queue.remove(2)).toBe(true)
    queue.giveBack(2)
    expect([1, 2, 3, 4].map(() => queue.take('a', false))).toEqual([1, 2, 3, undefined])
    expect(queue.size).toBe(0)
  })
})

describe('the heap of indices', () => {
  it('the heap of indices returns its indices in order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), numbers => {
        const heap = new IndexHeap()
        for (const number of numbers) heap.push(number)
        const sorted = numbers.map(() => heap.pop())
        expect(sorted).toEqual([...numbers].sort((a, b) => a - b))
        expect(heap.pop()).toBeUndefined()
      })
    )
  })

  it('the heap of indices returns the remaining indices in order after removals', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 100 })), fc.uniqueArray(fc.nat({ max: 100 })), (numbers, unwanted) => {
        const heap = new IndexHeap()
        for (const number of numbers) heap.push(number)
        for (const number of unwanted) expect(heap.remove(number)).toBe(numbers.includes(number))
        const left = numbers.filter(number => !unwanted.includes(number)).sort((a, b) => a - b)
        expect(heap.size).toBe(left.length)
        expect(left.map(() => heap.pop())).toEqual(left)
      })
    )
  })

  it('the heap of indices removes 65,536 indices one by one within 5 s', () => {
    const heap = new IndexHeap()
    for (let index = 0; index < 65_536; index++) heap.push(index)
    const begun = performance.now()
    for (let index = 0; index < 65_536; index++) heap.remove(index)
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})
