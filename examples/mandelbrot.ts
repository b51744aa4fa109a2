// npx p2p-worker run examples/mandelbrot.ts --output mandelbrot.png
//
// Draws the Mandelbrot set and estimates its area. The set contains the points c of the plane for which z -> z² + c, begun at z = 0, stays bounded.
// A row of the picture is a chunk. Rows that cross the set take many times as long as rows at the rim. The task need not know this, because a
// slot takes its next row when the slot is free.
//
// The result is a PNG. The share of samples that stay bounded estimates the area of the set. The example compares this estimate with the published
// value, prints the comparison, and writes the comparison into the PNG as text. `--input '{"width":3600,"iterations":4000}'` makes a larger
// picture and a better estimate.

import { encode } from 'fast-png'
import { defineTask } from 'p2p-worker'

/** The visible part of the plane. It contains the whole set, and its centre is at x = -0.7, y = 0. Its sides have the ratio of three to two. */
const VIEW = { left: -2.4, top: 17 / 15, width: 3.4, height: 34 / 15 }

/** Thorsten Förstemann's result by counting pixels: 1.5065918849 ± 2.8e-9 (https://www.mrob.com/pub/muency/pixelcounting.html). */
const PUBLISHED_AREA = 1.5065918849

/** The number of samples of a pixel in each direction. The colour of a pixel is the mean of its samples, which smooths edges. */
const SAMPLES = 2

const LARGEST = 20_000

/** One row of the picture. */
interface Row {
  y: number
  width: number
  height: number
  iterations: number
}

/**
 * Returns the number of steps after which z escapes, as a continuous number, so that colours are smooth. Returns Infinity if z stays bounded for
 * `iterations` steps. A z with |z| > 2 always escapes.
 */
export function escapeTime(cx: number, cy: number, iterations: number): number {
  let x = 0
  let y = 0
  let xx = 0
  let yy = 0
  let steps = 0
  for (; steps < iterations && xx + yy <= 4; steps++) {
    y = 2 * x * y + cy
    x = xx - yy + cx
    xx = x * x
    yy = y * y
  }
  if (xx + yy <= 4) return Number.POSITIVE_INFINITY
  // Far outside, each step squares |z|, so the logarithm of the logarithm of |z| gives the fraction of a step. Three more steps are enough.
  for (let more = 0; more < 3; more++) {
    y = 2 * x * y + cy
    x = xx - yy + cx
    xx = x * x
    yy = y * y
  }
  return Math.max(0, steps + 3 - Math.log2(Math.log2(xx + yy)))
}

/** The colours for a growing number of steps. After the last colour, the first colour follows again. */
const PALETTE = [
  [8, 16, 58],
  [20, 82, 156],
  [84, 178, 211],
  [240, 248, 226],
  [250, 190, 72],
  [194, 74, 44],
  [74, 18, 60]
] as const

/** Adds a sample's colour to the three sums of its pixel. Points of the set are black. */
function addColour(sums: Float64Array, steps: number): void {
  if (steps === Number.POSITIVE_INFINITY) return
  // The logarithm gives small numbers of steps, far outside, more different colours than large numbers of steps, near the rim.
  const place = (Math.log2(1 + steps / 4) * 1.55) % PALETTE.length
  const index = Math.floor(place)
  const from = PALETTE[index] ?? PALETTE[0]
  const to = PALETTE[(index + 1) % PALETTE.length] ?? PALETTE[0]
  for (let channel = 0; channel < 3; channel++) {
    const start = from[channel] ?? 0
    sums[channel] = (sums[channel] ?? 0) + start + (place - index) * ((to[channel] ?? 0) - start)
  }
}

function checked(name: string, value: number, least: number, most: number): number {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${name} must be a whole number from ${least} to ${most}`)
  return value
}

/**
 * Returns the tolerance of the estimate. Some points of the plane escape only after more than `iterations` steps, and the grid of samples misses
 * parts of the set that are thinner than a cell of the grid.
 */
function tolerance(width: number, iterations: number): number {
  return 4 / iterations + 2 / width
}

export default defineTask({
  name: 'mandelbrot',

  *split(input: { width?: number; iterations?: number } | undefined): Generator<Row> {
    const width = checked('width', input?.width ?? 1_200, 30, LARGEST)
    const iterations = checked('iterations', input?.iterations ?? 1_000, 100, 10_000_000)
    const height = Math.round((width * VIEW.height) / VIEW.width)
    for (let y = 0; y < height; y++) yield { y, width, height, iterations }
  },

  run({ y, width, height, iterations }) {
    const colours = new Uint8Array(3 * width)
    const sums = new Float64Array(3)
    let inside = 0
    for (let x = 0; x < width; x++) {
      sums.fill(0)
      for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
        const right = (x + ((sample % SAMPLES) + 0.5) / SAMPLES) / width
        const down = (y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / height
        const steps = escapeTime(VIEW.left + right * VIEW.width, VIEW.top - down * VIEW.height, iterations)
        if (steps === Number.POSITIVE_INFINITY) inside++
        addColour(sums, steps)
      }
      for (let channel = 0; channel < 3; channel++) {
        colours[3 * x + channel] = Math.round((sums[channel] ?? 0) / (SAMPLES * SAMPLES))
      }
    }
    return { colours, inside, iterations }
  },

  // Without `reduce`, `finish` gets the array of partials in chunk order. Here the partials are the rows from top to bottom.
  finish(rows) {
    const [{ colours, iterations } = { colours: new Uint8Array(), iterations: 0 }] = rows
    const width = colours.length / 3
    const height = rows.length
    const data = new Uint8Array(3 * width * height)
    let inside = 0
    for (const [y, row] of rows.entries()) {
      data.set(row.colours, 3 * width * y)
      inside += row.inside
    }
    const area = (inside / (width * height * SAMPLES * SAMPLES)) * VIEW.width * VIEW.height
    const allowed = tolerance(width, iterations)
    const verified = Math.abs(area - PUBLISHED_AREA) <= allowed
    const comparison = `${area.toFixed(6)} (published: ${PUBLISHED_AREA}, tolerance here: ${allowed.toFixed(6)}), verified: ${verified}`
    console.log(`area of the Mandelbrot set: ${comparison}`)
    return encode(
      { width, height, channels: 3, data, text: { Title: 'Mandelbrot set', Area: comparison } },
      { zlib: { level: 9 } }
    )
  }
})
