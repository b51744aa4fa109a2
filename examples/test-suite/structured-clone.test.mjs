import assert from 'node:assert/strict'
import test from 'node:test'
import { bytesFrom, forManyCases, textFrom } from './cases.mjs'

test('a clone equals the original value, but is another object', () => {
  forManyCases(random => {
    const value = {
      bytes: bytesFrom(random, 50),
      map: new Map([[textFrom(random, 5), -0]]),
      set: new Set([1n, 2n, random()]),
      date: new Date(1e12 * random())
    }
    const clone = structuredClone(value)
    assert.deepEqual(clone, value)
    assert.notEqual(clone.bytes, value.bytes)
  })
})
