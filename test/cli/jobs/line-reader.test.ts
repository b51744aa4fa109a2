import { expect, test } from 'vitest'
import { LineReader } from '../../../src/cli/jobs/line-reader.ts'
import fc from '../../properties.ts'

async function linesOf(pieces: Iterable<Uint8Array>): Promise<string[]> {
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield* pieces
  }
  const lines: string[] = []
  for await (const line of new LineReader(stream())) lines.push(line)
  return lines
}

test('the reader returns the same lines for any division of the bytes into pieces', async () => {
  const text = fc
    .array(fc.constantFrom('a', '\n', '\r', 'ü', '€', '😀', ' '), { maxLength: 40 })
    .map(all => all.join(''))
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(160)), async (content, cuts) => {
      const bytes = Buffer.from(content)
      const at = [0, ...cuts.map(cut => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
      const pieces = at.slice(1).map((end, i) => bytes.subarray(at[i], end))
      const expected = content.split('\n')
      // The text after the last line end is a line only if it is not empty.
      if (expected.at(-1) === '') expected.pop()
      expect(await linesOf(pieces)).toEqual(expected)
    })
  )
})

test('an empty stream has no lines, but an empty line counts as a line', async () => {
  expect(await linesOf([])).toEqual([])
  expect(await linesOf([Buffer.from('\n\nx')])).toEqual(['', '', 'x'])
})

test('the reader joins the 1,500 pieces of a line of 98 MB within 10 s', async () => {
  const pieces = Array.from({ length: 1_500 }, () => Buffer.alloc(65_536, 'x'))
  const lines = await linesOf([Buffer.from('a\n'), ...pieces, Buffer.from('\nb')])
  expect(lines.map(line => line.length)).toEqual([1, 1_500 * 65_536, 1])
}, 10_000)

test('the reader returns a line before the next line has arrived', async () => {
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one\ntw')
    await new Promise(() => {})
  }
  const lines = new LineReader(stream())[Symbol.asyncIterator]()
  expect(await lines.next()).toEqual({ done: false, value: 'one' })
})

test('the reader ends its stream when the loop over the lines ends', async () => {
  let closed = false
  async function* stream(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.from('x\n')
    } finally {
      closed = true
    }
  }
  for await (const line of new LineReader(stream())) {
    expect(line).toBe('x')
    break
  }
  expect(closed).toBe(true)
})
