/** Reduces pictures of pages to 256 colours. The pictures look the same at a third of the size, because only the edges of letters have many shades. */
import { decode, encode } from 'fast-png'

const MOST = 256

/** Returns the PNG file with a palette instead of three bytes for each pixel. */
export function withFewColours(png: Buffer): Uint8Array {
  const { width, height, data, channels } = decode(png)
  const pixels = width * height
  const colours = new Uint32Array(pixels)
  const counts = new Map<number, number>()
  for (let i = 0; i < pixels; i++) {
    const at = i * channels
    const colour = (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!
    colours[i] = colour
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const palette = commonest(counts)
  const places = new Map<number, number>()
  for (const colour of counts.keys()) places.set(colour, nearest(colour, palette))
  return encode({
    width,
    height,
    channels: 1,
    depth: 8,
    data: Uint8Array.from(colours, colour => places.get(colour)!),
    palette: palette.map(parts)
  })
}

/** Groups nearly equal colours, and returns the most frequent colour of each of the largest groups. */
function commonest(counts: ReadonlyMap<number, number>): number[] {
  const alike = new Map<number, { colour: number; most: number; count: number }>()
  for (const [colour, count] of counts) {
    const key = colour & 0xf8f8f8
    const group = alike.get(key) ?? { colour, most: 0, count: 0 }
    group.count += count
    if (count > group.most) Object.assign(group, { colour, most: count })
    alike.set(key, group)
  }
  const groups = [...alike.values()].sort((a, b) => b.count - a.count)
  return groups.slice(0, MOST).map(({ colour }) => colour)
}

function nearest(colour: number, palette: readonly number[]): number {
  let place = 0
  let least = Number.POSITIVE_INFINITY
  for (const [index, other] of palette.entries()) {
    const distance = parts(colour).reduce((sum, part, i) => sum + (part - parts(other)[i]!) ** 2, 0)
    if (distance >= least) continue
    place = index
    least = distance
  }
  return place
}

function parts(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]
}
