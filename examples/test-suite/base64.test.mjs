import assert from 'node:assert/strict'
import test from 'node:test'
import { bytesFrom, forManyCases } from './cases.mjs'

test('bytes that are written as base64 and read again are the same', () => {
  forManyCases(random => {
    const bytes = bytesFrom(random, 200)
    const text = Buffer.from(bytes).toString('base64url')
    assert.match(text, /^[\w-]+$/)
    assert.deepEqual(new Uint8Array(Buffer.from(text, 'base64url')), bytes)
  })
})
