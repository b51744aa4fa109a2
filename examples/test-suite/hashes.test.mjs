import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { bytesFrom, forManyCases } from './cases.mjs'

test('SHA-256 of "abc" equals the value in FIPS 180-4', () => {
  const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  assert.equal(createHash('sha256').update('abc').digest('hex'), expected)
})

test('a hash does not depend on the pieces in which the bytes arrive', () => {
  forManyCases(random => {
    const bytes = bytesFrom(random, 300)
    const cut = Math.floor(300 * random())
    const [whole, parts] = [createHash('sha256'), createHash('sha256')]
    parts.update(bytes.subarray(0, cut)).update(bytes.subarray(cut))
    assert.equal(parts.digest('hex'), whole.update(bytes).digest('hex'))
  })
})
