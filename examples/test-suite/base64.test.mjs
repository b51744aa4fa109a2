import assert from 'node:assert/strict'
import test from 'node:test'
import { bytesFrom, forManyCases } from './cases.mjs'

test('bytes are unchanged after they are encoded as base64 and decoded', () => {
  forManyCases(random => {
    const bytes = bytesFrom(random, 200)
    const text = Buffer.from(bytes).toString('base64url')
    assert.match(text, /^[\w-]+$/)
    assert.deepEqual(new Uint8Array(Buffer.from(text, 'base64url')), bytes)
  })
})
