import assert from 'node:assert/strict'
import test from 'node:test'
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib'
import { forManyCases, textFrom } from './cases.mjs'

test('a text is unchanged after gzip compresses and decompresses it', () => {
  forManyCases(random => {
    const text = textFrom(random, 500)
    assert.equal(gunzipSync(gzipSync(text)).toString(), text)
  })
})

test('a text is unchanged after brotli compresses and decompresses it', () => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  forManyCases(random => {
    const text = textFrom(random, 500)
    assert.equal(brotliDecompressSync(brotliCompressSync(text, { params })).toString(), text)
  })
})
