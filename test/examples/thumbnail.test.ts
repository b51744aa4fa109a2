import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Jimp } from 'jimp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import task, { type Thumbnail } from '../../examples/thumbnail.ts'
import { makePhotographs } from './photographs.ts'

let folder: string
let photographs: Map<string, Uint8Array>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'p2p-worker-thumbnail-'))
  photographs = await makePhotographs(folder, [
    { name: 'wide.jpg', width: 200, height: 100 },
    { name: 'high.png', width: 60, height: 180 },
    { name: 'small.jpg', width: 40, height: 30 }
  ])
})

afterAll(() => rm(folder, { recursive: true }))

async function thumbnailOf(name: string, bytes = photographs.get(name)!): Promise<Thumbnail> {
  const context = { signal: new AbortController().signal, index: 0, log: () => {} }
  return await task.run({ name, bytes, longerSide: 50 }, context)
}

test.each([
  { name: 'wide.jpg', width: 50, height: 25, mime: 'image/jpeg' },
  { name: 'high.png', width: 17, height: 50, mime: 'image/png' },
  { name: 'small.jpg', width: 40, height: 30, mime: 'image/jpeg' }
])('$name becomes a thumbnail of $width by $height in the same format', async ({ name, width, height, mime }) => {
  const thumbnail = await thumbnailOf(name)
  if ('problem' in thumbnail) throw new Error(thumbnail.problem)
  expect(thumbnail).toMatchObject({ name, width, height })
  const decoded = await Jimp.read(Buffer.from(thumbnail.bytes))
  expect({ width: decoded.width, height: decoded.height, mime: decoded.mime }).toEqual({ width, height, mime })
  // The thumbnail is upright if the sky is above the hill.
  const at = (y: number): number[] => [...decoded.bitmap.data.subarray(4 * y * width, 4 * y * width + 3)]
  const [, , sky = 0] = at(1)
  const [, , hill = 0] = at(height - 2)
  expect(sky).toBeGreaterThan(2 * hill)
})

test('for a file that is not a picture, the task returns a problem instead of throwing an error', async () => {
  const cut = photographs.get('wide.jpg')!.subarray(0, 300)
  for (const bytes of [new Uint8Array(), new TextEncoder().encode('no picture'), cut]) {
    expect(await thumbnailOf('broken.jpg', bytes)).toEqual({ name: 'broken.jpg', problem: expect.stringMatching(/./) })
  }
})
