import assert from 'node:assert/strict'
import test from 'node:test'
import { forManyCases, textFrom } from './cases.mjs'

test('a text is unchanged after it is encoded as UTF-8 and decoded', () => {
  forManyCases(random => {
    const text = textFrom(random, 200)
    assert.equal(new TextDecoder('utf-8', { fatal: true }).decode(new TextEncoder().encode(text)), text)
  })
})

test('a text is unchanged after it is written into a URL and read from the URL', () => {
  forManyCases(random => {
    const text = textFrom(random, 100)
    const url = new URL('https://example.org/')
    url.searchParams.set('text', text)
    assert.equal(new URL(url.href).searchParams.get('text'), text)
  })
})
