import { describe, expect, it } from 'vitest'
import { FairQueue } from '../../src/lib/fair-queue.ts'

function drain<T>(queue: FairQueue<T>): T[] {
  const items: T[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}

describe('a fair queue', () => {
  it('a fair queue serves the requesters in turn, and the items of each requester in order', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a1', 'a2', 'a3']) queue.push('a', item)
    for (const item of ['b1', 'b2']) queue.push('b', item)
    queue.push(undefined, 'nobody')
    expect(queue.size).toBe(6)
    expect(drain(queue)).toEqual(['a1', 'b1', 'nobody', 'a2', 'b2', 'a3'])
    expect(queue.size).toBe(0)
  })

  it('a fair queue serves a new requester after all requesters that already wait', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a1', 'a2', 'a3']) queue.push('a', item)
    expect(queue.shift()).toBe('a1')
    queue.push('b', 'b1')
    expect(drain(queue)).toEqual(['a2', 'b1', 'a3'])
  })

  it('a fair queue skips exactly the removed items', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a1', 'a2']) queue.push('a', item)
    queue.push('b', 'b1')
    queue.remove('a', 'a1')
    queue.remove('b', 'b1')
    queue.remove('b', 'b1')
    queue.remove('a', 'b1')
    expect(queue.size).toBe(1)
    expect(drain(queue)).toEqual(['a2'])
  })
})
