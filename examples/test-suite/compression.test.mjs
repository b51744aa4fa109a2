import assert from 'node:assert/strict'
import test from 'node:test'
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib'
import { forManyCases, textFrom } from './cases.mjs'

test('what is packed by gzip comes out again', () => {
  forManyCases(random => {
    const text = textFrom(random, 500)
    assert.equal(gunzipSync(gzipSync(text)).toString(), text)
  })
})

test('what is packed by brotli comes out again', () => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  forManyCases(random => {
    const text = textFrom(random, 500)
    assert.equal(brotliDecompressSync(brotliCompressSync(text, { params })).toString(), text)
  })
})
