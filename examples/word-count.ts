// npx p2p-worker run examples/word-count.ts --input-file README.md
//
// Counts the words of a text. `--input-file` hands over the file's content: bytes (a Uint8Array), unless the content is JSON; a
// JSON string counts as text, too. The text is cut into chunks, each chunk is counted by some peer, and the counts are added up.

import { defineTask } from 'p2p-worker'

/** Bytes in a chunk, about: large enough to make the message worth its while, small enough to keep many peers busy. */
const CHUNK_BYTES = 64 * 1024

/** How many of the most frequent words the result lists. */
const TOP = 20

/** A letter or digit, then letters, digits and combining marks, with apostrophes and hyphens inside: don't, Saint-Étienne. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu

function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d)
}

function toBytes(input: unknown): Uint8Array {
  if (input instanceof Uint8Array) return input
  if (typeof input === 'string') return new TextEncoder().encode(input)
  throw new TypeError('word-count needs a text: give it a file with --input-file, or a JSON string with --input')
}

/** Adds the counts of another text to those of one. */
function add(total: Map<string, number>, counts: Map<string, number>): Map<string, number> {
  for (const [word, count] of counts) total.set(word, (total.get(word) ?? 0) + count)
  return total
}

/** Most frequent first; equally frequent words in the order of their code units, so that the result is always the same. */
function byFrequency([a, countA]: [string, number], [b, countB]: [string, number]): number {
  return countB - countA || (a < b ? -1 : a > b ? 1 : 0)
}

export default defineTask({
  name: 'word-count',

  // Cuts only at ASCII white space. Its bytes never occur inside a longer UTF-8 sequence, so neither a word nor a character
  // is ever cut in two.
  *split(input: Uint8Array | string) {
    const bytes = toBytes(input)
    let start = 0
    while (start < bytes.length) {
      let end = Math.min(start + CHUNK_BYTES, bytes.length)
      while (end < bytes.length && !isWhitespace(bytes[end])) end++
      // A copy. A view, by subarray(), would do as well: only its own bytes travel.
      yield bytes.slice(start, end)
      start = end
    }
  },

  // Whatever structured clone can carry may come back: a Map is fine.
  run(chunk) {
    const counts = new Map<string, number>()
    for (const [match] of new TextDecoder().decode(chunk).normalize('NFC').matchAll(WORD)) {
      const word = match.toLowerCase()
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    return counts
  },

  // The counts of sixteen chunks travel as one: most of their words are the same.
  combine: add,

  // A factory instead of a value: called once for each job.
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
