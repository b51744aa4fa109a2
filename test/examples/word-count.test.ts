import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import wordCount from '../../examples/word-count.ts'
import fc from '../properties.ts'
import { chunksOf, runInOneLoop } from './in-one-loop.ts'

// The examples also print their results, which would clutter the output of the tests.
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** Counts the words of the whole text in one step. */
function countAtOnce(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of text
    .normalize('NFC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

test('the counts of a small text match a count by hand', async () => {
  const { result } = await runInOneLoop(
    wordCount,
    'Der Bär sah den Bären; der Bär, den der Bären-Fänger sah, don’t care. 2 x 2'
  )
  expect(result).toEqual({
    words: 16,
    distinct: 10,
    top: [
      { word: 'der', count: 3 },
      { word: '2', count: 2 },
      { word: 'bär', count: 2 },
      { word: 'den', count: 2 },
      { word: 'sah', count: 2 },
      { word: 'bären', count: 1 },
      { word: 'bären-fänger', count: 1 },
      { word: 'care', count: 1 },
      { word: 'don’t', count: 1 },
      { word: 'x', count: 1 }
    ]
  })
})

test('the counts of a text that is cut into chunks equal the counts of the uncut text, for bytes and for a string', async () => {
  const vocabulary = ['über', 'naïve', '東京', 'γλῶσσα', 'don’t', 'a', '😀x', 'été', 'один', 'two-fold']
  // This fixed pseudo-random sequence puts words of many lengths at the ends of the chunks.
  let state = 1
  const words = Array.from({ length: 150_000 }, () => {
    state = (state * 48271) % 2147483647
    return vocabulary[state % vocabulary.length]
  })
  const text = words.join(' ')
  const { chunks, result } = await runInOneLoop(wordCount, new TextEncoder().encode(text))
  const expected = countAtOnce(text)

  expect(chunks.length).toBeGreaterThan(3)
  expect(result.words).toBe(150_000)
  expect(new Map(result.top.map(({ word, count }) => [word, count]))).toEqual(expected)
  expect((await runInOneLoop(wordCount, text)).result).toEqual(result)
})

test('the chunks joined in order equal the text, and no chunk begins or ends inside a word', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 6 })
  const separators = fc.constantFrom(' ', '\n', '\t', '\r\n', ' ')
  fc.assert(
    fc.property(sizes, separators, fc.constantFrom('a', 'é', '東', '😀'), (lengths, separator, letter) => {
      const text = lengths.map(length => letter.repeat(length / letter.length)).join(separator)
      const chunks = chunksOf(wordCount, new TextEncoder().encode(text))
      const decoded = chunks.map(chunk => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(chunk))
      expect(decoded.join('') === text).toBe(true)
      expect(decoded.every((chunk, index) => index === 0 || /^[\t-\r ]/.test(chunk))).toBe(true)
      expect(chunks.every(chunk => chunk.length > 0 && chunk.byteLength === chunk.buffer.byteLength)).toBe(true)
    }),
    { numRuns: 30 }
  )
})

test('an empty text has no words', async () => {
  expect(await runInOneLoop(wordCount, new Uint8Array())).toEqual({
    chunks: [],
    result: { words: 0, distinct: 0, top: [] }
  })
})

test('an input that is not text is refused with a hint at --input-file', () => {
  for (const input of [undefined, 7, { text: 'a' }]) {
    expect(() => chunksOf(wordCount, input)).toThrow('--input-file')
  }
})
