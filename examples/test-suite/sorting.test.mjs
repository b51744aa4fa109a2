import assert from 'node:assert/strict'
import test from 'node:test'
import { forManyCases } from './cases.mjs'

test('a sorted array has the same elements in order, and equal elements keep their original order', () => {
  forManyCases(random => {
    const before = Array.from({ length: 200 }, (_, place) => ({ key: Math.floor(20 * random()), place }))
    const after = before.toSorted((a, b) => a.key - b.key)
    assert.equal(new Set(after).size, before.length)
    for (const [i, next] of after.slice(1).entries()) {
      const each = after[i]
      assert.ok(each.key < next.key || (each.key === next.key && each.place < next.place))
    }
  })
})
