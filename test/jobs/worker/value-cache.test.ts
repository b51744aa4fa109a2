import { expect, it } from 'vitest'
import { ValueCache } from '../../../src/jobs/worker/value-cache.ts'

const bytes = (size: number): Uint8Array => new Uint8Array(size)
/** Room for two values of 1,000 bytes and their overhead. */
const room = (): ValueCache => new ValueCache(2_600)

it('the cache finds a value only under the job for which the value was stored', () => {
  const cache = room()
  cache.put('a', 'x', Uint8Array.of(1))
  expect(cache.get('a', 'x')).toEqual(Uint8Array.of(1))
  expect(cache.get('b', 'x')).toBe(undefined)
})

it('the least recently used value is evicted first when the cache is full', () => {
  const cache = room()
  cache.put('a', 'x', bytes(1_000))
  cache.put('b', 'y', bytes(1_000))
  cache.get('a', 'x')
  cache.put('c', 'z', bytes(1_000))
  expect([cache.get('a', 'x'), cache.get('b', 'y'), cache.get('c', 'z')].map(value => value?.byteLength)).toEqual([
    1_000,
    undefined,
    1_000
  ])
})

it('storing a value again uses no additional room', () => {
  const cache = room()
  for (let i = 0; i < 5; i++) cache.put('a', 'x', bytes(1_000))
  expect(cache.bytes).toBeLessThan(1_500)
})

it('releasing a job removes its values, and keeps the values of other jobs', () => {
  const cache = room()
  cache.put('a', 'x', bytes(1_000))
  cache.put('b', 'x', bytes(1_000))
  cache.release('a')
  expect([cache.get('a', 'x'), cache.get('b', 'x')?.byteLength]).toEqual([undefined, 1_000])
  cache.release('b')
  expect(cache.bytes).toBe(0)
})

it('when a leader begins, the cache keeps the values that were used under the previous leader, and drops the unused values', () => {
  const cache = room()
  cache.put('a', 'x', bytes(1_000))
  cache.put('b', 'y', bytes(1_000))
  cache.leaderBegins()
  cache.get('a', 'x')
  cache.leaderBegins()
  expect(cache.get('a', 'x')?.byteLength).toBe(1_000)
  expect(cache.get('b', 'y')).toBe(undefined)
})
