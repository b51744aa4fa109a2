import { expect, it } from 'vitest'
import { ValueCache } from '../../../src/jobs/worker/value-cache.ts'

const bytes = (size: number): Uint8Array => new Uint8Array(size)
/** Room for two values of 1,000 bytes and their overhead. */
const room = (): ValueCache => new ValueCache(2_600)

it('a value is found under its own job only', () => {
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

it('a value that is stored again needs no more room', () => {
  const cache = room()
  for (let i = 0; i < 5; i++) cache.put('a', 'x', bytes(1_000))
  expect(cache.bytes).toBeLessThan(1_500)
})

it('a job that ends leaves no values behind, and other jobs keep theirs', () => {
  const cache = room()
  cache.put('a', 'x', bytes(1_000))
  cache.put('b', 'x', bytes(1_000))
  cache.release('a')
  expect([cache.get('a', 'x'), cache.get('b', 'x')?.byteLength]).toEqual([undefined, 1_000])
  cache.release('b')
  expect(cache.bytes).toBe(0)
})

it('a value that was used under the last leader outlives that leader, and an unused one does not', () => {
  const cache = room()
  cache.put('a', 'x', bytes(1_000))
  cache.put('b', 'y', bytes(1_000))
  cache.leaderBegins()
  cache.get('a', 'x')
  cache.leaderBegins()
  expect(cache.get('a', 'x')?.byteLength).toBe(1_000)
  expect(cache.get('b', 'y')).toBe(undefined)
})
