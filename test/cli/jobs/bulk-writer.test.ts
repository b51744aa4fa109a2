import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { BulkWriter } from '../../../src/cli/jobs/bulk-writer.ts'

const never = new AbortController().signal

function written(stream: PassThrough): string {
  return (stream.read() ?? '').toString()
}

test('the writer combines many small pieces of text into one write in each turn of the event loop', async () => {
  const stream = new PassThrough()
  const pieces: string[] = []
  stream.on('data', data => pieces.push(data.toString()))
  const writer = new BulkWriter(stream)
  for (let i = 0; i < 1_000; i++) writer.write(`${i}\n`)
  await once(stream, 'data')
  expect(pieces).toEqual([Array.from({ length: 1_000 }, (_, i) => `${i}\n`).join('')])
})

test('the writer keeps the order of bytes and text', async () => {
  const stream = new PassThrough()
  const writer = new BulkWriter(stream)
  writer.write('a')
  writer.write(Uint8Array.of(0xff, 0x0a))
  writer.write('b')
  await writer.end()
  // `read()` returns all buffered bytes before Node 26, and one chunk from Node 26 on.
  expect(Buffer.concat(await stream.end().toArray())).toEqual(Buffer.from([0x61, 0xff, 0x0a, 0x62]))
})

test('a full writer has room again after its stream has drained, even if no caller waits for the drain', async () => {
  const stream = new PassThrough({ highWaterMark: 10 })
  const writer = new BulkWriter(stream)
  writer.write('x'.repeat(100_000))
  expect(writer.isFull).toBe(true)
  const drained = writer.drained(never)
  while (written(stream) !== '');
  await drained
  expect(writer.isFull).toBe(false)
  writer.write('y'.repeat(100_000))
  expect(writer.isFull).toBe(true)
  // The stream drains before a caller waits for room.
  const drain = once(stream, 'drain')
  while (written(stream) !== '');
  await drain
  await writer.drained(never)
  expect(writer.isFull).toBe(false)
})

test('the wait for room in a full stream rejects when its signal aborts', async () => {
  const stream = new PassThrough({ highWaterMark: 10 })
  const writer = new BulkWriter(stream)
  writer.write('x'.repeat(100_000))
  await expect(writer.drained(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})
