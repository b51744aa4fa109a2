import { decode } from 'fast-png'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import rayTrace from '../../examples/ray-trace.ts'
import { chunksOf, runAllInOneLoop } from './in-one-loop.ts'

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const small = { width: 80, samples: 4 }

test('the pixels of the picture do not depend on where the tiles begin and end', async () => {
  const { chunks, result } = await runAllInOneLoop(rayTrace, small)
  const { width, height, data } = decode(result)
  expect({ width, height }).toEqual({ width: 80, height: 45 })
  expect(chunks).toHaveLength(6)

  const context = { signal: new AbortController().signal, index: 0, log: () => {} }
  // The upper left corner of this tile is in the middle of the first tile, so four tiles of the picture meet within this tile.
  const other = await rayTrace.run({ left: 20, top: 10, width: 80, height: 45, samples: 4 }, context)
  expect([other.columns, other.rows]).toEqual([32, 32])
  for (let y = 0; y < other.rows; y++) {
    const begin = 3 * ((10 + y) * width + 20)
    expect(data.subarray(begin, begin + 96)).toEqual(other.colours.subarray(96 * y, 96 * (y + 1)))
  }
})

test('the picture shows a blue sky at the top, a red ball at the left and a chess board in front', async () => {
  const { result } = await runAllInOneLoop(rayTrace, { width: 80, samples: 16 })
  const { data } = decode(result)
  const at = (x: number, y: number): number[] => [...data.subarray(3 * (y * 80 + x), 3 * (y * 80 + x) + 3)]
  const [skyRed = 0, , skyBlue = 0] = at(40, 1)
  expect(skyBlue).toBeGreaterThan(skyRed)
  const [red = 0, green = 0, blue = 0] = at(15, 15)
  expect(red).toBeGreaterThan(1.3 * Math.max(green, blue))
  const front = Array.from({ length: 80 }, (_, x) => at(x, 42)[0]!)
  expect(Math.max(...front) - Math.min(...front)).toBeGreaterThan(80)
})

test('a picture with non-default settings has a digest but no verdict', async () => {
  const { result } = await runAllInOneLoop(rayTrace, small)
  expect(decode(result).text.Digest).toMatch(/^[0-9a-f]{64}$/)
})

test('an invalid size or number of samples is refused', () => {
  for (const width of [0, 15, 80.5, '80', 1e5]) {
    expect(() => chunksOf(rayTrace, { width })).toThrow('width must be a whole number from 16 to 10000')
  }
  expect(() => chunksOf(rayTrace, { samples: 0 })).toThrow('samples must be a whole number from 1')
})
