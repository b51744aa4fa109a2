import assert from 'node:assert/strict'
import test from 'node:test'
import { forManyCases, textFrom } from './cases.mjs'

function valueFrom(random, depth) {
  const kind = Math.floor((depth === 0 ? 4 : 6) * random())
  if (kind === 0) return null
  if (kind === 1) return random() < 0.5
  if (kind === 2) return (random() - 0.5) * 10 ** Math.floor(20 * random())
  if (kind === 3) return textFrom(random, 20)
  const members = Array.from({ length: 4 }, () => valueFrom(random, depth - 1))
  return kind === 4 ? members : Object.fromEntries(members.map(member => [textFrom(random, 5), member]))
}

test('a value is unchanged after it is encoded as JSON and decoded', () => {
  forManyCases(random => {
    const value = valueFrom(random, 4)
    assert.deepEqual(JSON.parse(JSON.stringify(value)), value)
  })
})
