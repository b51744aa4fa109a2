import { expect, it } from 'vitest'
import { ValueCache } from '../../../src/jobs/worker/value-cache.ts'

const bytes = (size: number): Uint8Array => new Uint8Array(size)
/** Room for two values of 1,000 bytes, and what they take beside. */
const room = (): ValueCache => new ValueCache(2_600)

it('a value is found under its job, and under no other', () => {
  const cache = room()
  cache.put('a', 'x', Uint8Array.of(1))
  expect(cache.get('a', 'x')).toEqual(Uint8Array.of(1))
  expect(cache.get('b', 'x')).toBe(undefined)
})

it('the value that was not used for longest goes first where there is no more room', () => {
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

it('a value that is put again takes no more room', () => {
  const cache = room()
  for (let i = 0; i < 5; i++) cache.put('a', 'x', bytes(1_000))
  expect(cache.bytes).toBeLessThan(1_500)
})

it('a job that is over leaves nothing behind, and all others keep what they have', () => {
  const cache = room()
  cache.put('a', 'x', bytes(1_000))
  cache.put('b', 'x', bytes(1_000))
  cache.release('a')
  expect([cache.get('a', 'x'), cache.get('b', 'x')?.byteLength]).toEqual([undefined, 1_000])
  cache.release('b')
  expect(cache.bytes).toBe(0)
})

it('what was of use under the last leader outlives it, and what was not does not', () => {
  const cache = room()
  cache.put('a', 'x', bytes(1_000))
  cache.put('b', 'y', bytes(1_000))
  cache.leaderBegins()
  cache.get('a', 'x')
  cache.leaderBegins()
  expect(cache.get('a', 'x')?.byteLength).toBe(1_000)
  expect(cache.get('b', 'y')).toBe(undefined)
})
