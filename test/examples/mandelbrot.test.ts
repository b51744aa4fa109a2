import { createHash } from 'node:crypto'
import { decode } from 'fast-png'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import mandelbrot, { escapeTime } from '../../examples/mandelbrot.ts'
import { chunksOf, runAllInOneLoop } from './in-one-loop.ts'

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

test('the points of the set equal the Benchmarks Game’s picture of 200 by 200 pixels in every bit', () => {
  const bits = new Uint8Array((200 * 200) / 8)
  for (let pixel = 0; pixel < 200 * 200; pixel++) {
    const steps = escapeTime((2 * (pixel % 200)) / 200 - 1.5, (2 * Math.floor(pixel / 200)) / 200 - 1, 50)
    if (steps === Number.POSITIVE_INFINITY) bits[pixel >> 3]! |= 0x80 >> (pixel & 7)
  }
  // This is the published digest of the picture. PHP's own tests also use this digest.
  const md5 = createHash('md5').update('P4\n200 200\n').update(bits).digest('hex')
  expect(md5).toBe('cc65e64bd553ed18896de1dfe7fae3e5')
})

test('a small picture shows the set in black, with symmetric halves and the right area', async () => {
  const { chunks, partials, result } = await runAllInOneLoop(mandelbrot, { width: 150, iterations: 500 })
  const { width, height, channels, data, text } = decode(result)
  expect({ width, height, channels }).toEqual({ width: 150, height: 100, channels: 3 })
  expect(chunks.map(({ y }) => y)).toEqual(Array.from({ length: 100 }, (_, y) => y))
  expect(data).toEqual(Uint8Array.from(partials.flatMap(({ colours }) => [...colours])))

  const row = (y: number): number[] => [...data.subarray(3 * width * y, 3 * width * (y + 1))]
  // Rounding makes the two halves slightly different.
  const difference = row(30).map((value, i) => Math.abs(value - row(69)[i]!))
  expect(Math.max(...difference)).toBeLessThanOrEqual(1)
  const middle = row(50)
  expect(middle.slice(3 * 100, 3 * 101)).toEqual([0, 0, 0])
  expect(middle.slice(0, 3)).not.toEqual([0, 0, 0])

  expect(text.Area).toMatch(/^1\.5\d{5} \(published: 1\.5065918849, tolerance here: 0\.021333\), verified: true$/)
})

test('the picture contains the rows from top to bottom', async () => {
  const rows = Array.from({ length: 4 }, (_, y) => ({ colours: new Uint8Array(9).fill(y), inside: 0, iterations: 100 }))
  const { width, height, data } = decode(await mandelbrot.finish!(rows))
  expect({ width, height }).toEqual({ width: 3, height: 4 })
  expect([...data].filter((_, i) => i % 9 === 0)).toEqual([0, 1, 2, 3])
})

test('a wrong area is not verified, for example if a chunk was folded twice', async () => {
  const { partials } = await runAllInOneLoop(mandelbrot, { width: 150, iterations: 500 })
  const twice = partials.map((row, y) => (y === 48 ? { ...row, inside: 2 * row.inside } : row))
  const png = decode(await mandelbrot.finish!(twice))
  expect(png.text.Area).toContain('verified: false')
})

test('a size that is fractional, too small or too large is refused', () => {
  for (const width of [0, 29, 100.5, '100', 1e6]) {
    expect(() => chunksOf(mandelbrot, { width })).toThrow('width must be a whole number from 30 to 20000')
  }
  expect(() => chunksOf(mandelbrot, { iterations: 99 })).toThrow('iterations must be a whole number from 100')
})
