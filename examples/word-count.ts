// npx p2p-worker run examples/word-count.ts --input-file README.md
//
// Counts the words of a text. `--input-file` passes the file's content as bytes (a Uint8Array), unless the content is JSON. A JSON
// string is also a valid text. `split` cuts the text into chunks, peers count the words of each chunk, and `reduce` adds the counts.

import { defineTask } from 'p2p-worker'

/** The approximate size of a chunk in bytes: large enough to be worth a message, and small enough for many peers to get chunks. */
const CHUNK_BYTES = 64 * 1024

/** The number of most frequent words in the result. */
const TOP = 20

/** Matches a word: a letter or digit, and then letters, digits and combining marks, with apostrophes and hyphens inside (don't, Saint-Étienne). */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu

function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d)
}

function toBytes(input: unknown): Uint8Array {
  if (input instanceof Uint8Array) return input
  if (typeof input === 'string') return new TextEncoder().encode(input)
  throw new TypeError('word-count needs a text: give it a file with --input-file, or a JSON string with --input')
}

/** Adds the counts of one text to the counts of another. */
function add(total: Map<string, number>, counts: Map<string, number>): Map<string, number> {
  for (const [word, count] of counts) total.set(word, (total.get(word) ?? 0) + count)
  return total
}

/** Compares words so that the most frequent words come first. Equally frequent words are in the order of their code units. */
function byFrequency([a, countA]: [string, number], [b, countB]: [string, number]): number {
  return countB - countA || (a < b ? -1 : a > b ? 1 : 0)
}

export default defineTask({
  name: 'word-count',

  // Cuts only at ASCII white space. Its bytes never occur inside a longer UTF-8 sequence, so no cut divides a word or a character.
  *split(input: Uint8Array | string) {
    const bytes = toBytes(input)
    let start = 0
    while (start < bytes.length) {
      let end = Math.min(start + CHUNK_BYTES, bytes.length)
      while (end < bytes.length && !isWhitespace(bytes[end])) end++
      // slice() copies the bytes. A view by subarray() is also possible, because only the bytes of the view are sent.
      yield bytes.slice(start, end)
      start = end
    }
  },

  // `run` may return any value that structured clone supports, such as a Map.
  run(chunk) {
    const counts = new Map<string, number>()
    for (const [match] of new TextDecoder().decode(chunk).normalize('NFC').matchAll(WORD)) {
      const word = match.toLowerCase()
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    return counts
  },

  // A worker combines the counts of several chunks into one value before it sends them, because the chunks have most words in common.
  combine: add,

  // `initial` may be a function instead of a value. The leader calls this function once for each job.
  initial: () => new Map<string, number>(),

  reduce: add,

  finish(total) {
    let words = 0
    for (const count of total.values()) words += count
    const top = [...total]
      .sort(byFrequency)
      .slice(0, TOP)
      .map(([word, count]) => ({ word, count }))
    for (const { word, count } of top) console.log(`${String(count).padStart(7)}  ${word}`)
    return { words, distinct: total.size, top }
  }
})
