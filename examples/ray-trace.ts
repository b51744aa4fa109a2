// npx p2p-worker run examples/ray-trace.ts --output scene.png
//
// Draws spheres on a table by path tracing. A path follows light backwards: from the eye through a pixel, off mirrors, through glass and from ball
// to ball, until the path reaches the lamp or the sky. The colour of a pixel is the mean of many paths with random directions. A tile of the
// picture is a chunk. Tiles with glass take several times as long as tiles with sky.
//
// Each run draws the same picture, equal in every bit. The random numbers of a pixel are computed from its position, and all other operations are
// +, -, *, / and square roots, which IEEE 754 defines to the last digit. So the default picture has a known digest. The example prints whether
// the digest is right, and writes this into the PNG as text. `--input '{"width":1280,"samples":400}'` makes a larger picture with less noise.

import { createHash } from 'node:crypto'
import { encode } from 'fast-png'
import { defineTask } from 'p2p-worker'

/** The size of the default picture, and the SHA-256 of its pixels. */
const DEFAULT = { width: 480, samples: 36, sha256: '69bd6eabe6a394418ceea364fc15bb31f2b9fbc15f1433de18ebfa2d9b9b0607' }

const TILE = 32

interface Vector {
  x: number
  y: number
  z: number
}

const vector = (x: number, y: number, z: number): Vector => ({ x, y, z })
const add = (a: Vector, b: Vector): Vector => vector(a.x + b.x, a.y + b.y, a.z + b.z)
const subtract = (a: Vector, b: Vector): Vector => vector(a.x - b.x, a.y - b.y, a.z - b.z)
const scale = (a: Vector, factor: number): Vector => vector(a.x * factor, a.y * factor, a.z * factor)
const multiply = (a: Vector, b: Vector): Vector => vector(a.x * b.x, a.y * b.y, a.z * b.z)
const dot = (a: Vector, b: Vector): number => a.x * b.x + a.y * b.y + a.z * b.z
const unit = (a: Vector): Vector => scale(a, 1 / Math.sqrt(dot(a, a)))
const cross = (a: Vector, b: Vector): Vector =>
  vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)

/** Returns a generator of numbers in [0, 1). The same seed gives the same numbers (mulberry32), computed with 32-bit integers. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Sphere {
  centre: Vector
  radius: number
  /** The share of red, green and blue light that the sphere reflects. */
  colour: Vector
  surface: 'matt' | 'mirror' | 'glass'
}

const sphere = (x: number, z: number, radius: number, surface: Sphere['surface'], colour: Vector): Sphere => ({
  // All spheres stand on the table.
  centre: vector(x, radius, z),
  radius,
  colour,
  surface
})

const SPHERES = [
  sphere(0, 0, 1, 'glass', vector(0.98, 0.99, 0.98)),
  sphere(-2.15, -0.7, 1, 'matt', vector(0.82, 0.22, 0.16)),
  sphere(2.2, -0.9, 1, 'mirror', vector(0.92, 0.88, 0.8)),
  sphere(0.1, -3.4, 1.25, 'matt', vector(0.16, 0.42, 0.66)),
  sphere(-1.05, 1.35, 0.36, 'mirror', vector(0.93, 0.93, 0.95)),
  sphere(1.2, 1.25, 0.42, 'matt', vector(0.93, 0.68, 0.16)),
  sphere(-2.6, 1.25, 0.3, 'matt', vector(0.22, 0.58, 0.34)),
  sphere(2.65, 0.95, 0.3, 'glass', vector(0.8, 0.93, 0.98)),
  sphere(0.25, 2.05, 0.22, 'matt', vector(0.58, 0.3, 0.62))
]

const OPAQUE = SPHERES.filter(({ surface }) => surface !== 'glass')

/** The lamp, a ball of light. A larger ball would make softer shadows. */
const LAMP = { centre: vector(-6.5, 8, 1.5), radius: 1.5, light: vector(84, 74, 58) }

const EYE = vector(0, 2.1, 7.2)
const LOOKS_AT = vector(0, 0.72, 0)
const FORWARD = unit(subtract(LOOKS_AT, EYE))
const RIGHT = unit(cross(FORWARD, vector(0, 1, 0)))
const UP = cross(RIGHT, FORWARD)

const SKY_LOW = vector(0.6, 0.66, 0.74)
const SKY_HIGH = vector(0.12, 0.27, 0.56)
const REFRACTION = 1.5
const MOST_BOUNCES = 8
/** The distance of the start of a ray from the surface that it leaves, so that the ray does not hit this surface. */
const ABOVE = 1e-6

/** Returns the distance along the ray to the sphere, or Infinity if the ray misses the sphere. */
function distanceTo({ centre, radius }: { centre: Vector; radius: number }, from: Vector, direction: Vector): number {
  const middle = subtract(centre, from)
  const along = dot(middle, direction)
  const square = along * along - dot(middle, middle) + radius * radius
  if (square < 0) return Number.POSITIVE_INFINITY
  const half = Math.sqrt(square)
  if (along - half > ABOVE) return along - half
  return along + half > ABOVE ? along + half : Number.POSITIVE_INFINITY
}

/** Returns the first hit of a ray on a sphere or the table (the plane y = 0). */
function firstHit(from: Vector, direction: Vector): { distance: number; sphere: Sphere | undefined } {
  let distance = direction.y < 0 && from.y > ABOVE ? -from.y / direction.y : Number.POSITIVE_INFINITY
  let hit: Sphere | undefined
  for (const sphere of SPHERES) {
    const other = distanceTo(sphere, from, direction)
    if (other >= distance) continue
    distance = other
    hit = sphere
  }
  return { distance, sphere: hit }
}

function skyAt(direction: Vector): Vector {
  const height = Math.sqrt(Math.max(0, direction.y))
  return add(scale(SKY_LOW, 1 - height), scale(SKY_HIGH, height))
}

/** Returns the colour of the table. The table is a chess board, but is plain grey far away, where a pixel shows many fields. */
function tableAt({ x, z }: Vector): Vector {
  const contrast = 0.22 / (1 + (x * x + z * z) / 60)
  const grey = (Math.floor(x) + Math.floor(z)) % 2 === 0 ? 0.36 + contrast : 0.36 - contrast
  return vector(grey, grey * 0.98, grey * 0.95)
}

/** Returns a random direction. Draws points of a cube until a point is inside the ball. */
function anyDirection(random: () => number): Vector {
  for (;;) {
    const point = vector(2 * random() - 1, 2 * random() - 1, 2 * random() - 1)
    const square = dot(point, point)
    if (square <= 1 && square > 1e-12) return scale(point, 1 / Math.sqrt(square))
  }
}

/** Returns a random point of the disc around the origin: the two coordinates, and the square of the distance from the origin. */
function inDisc(random: () => number): [number, number, number] {
  for (;;) {
    const a = 2 * random() - 1
    const b = 2 * random() - 1
    const square = a * a + b * b
    if (square <= 1 && square > 1e-12) return [a, b, square]
  }
}

/** Returns two directions that are perpendicular to `direction` and to each other. */
function across(direction: Vector): [Vector, Vector] {
  const first = unit(cross(direction, Math.abs(direction.y) < 0.9 ? vector(0, 1, 0) : vector(1, 0, 0)))
  return [first, cross(direction, first)]
}

/**
 * Returns the light that comes straight from a random point of the lamp, or none if an opaque sphere is in between. Glass does not change this
 * light, because the bright lines in which real glass focuses light would need far more paths.
 */
function lampLight(at: Vector, normal: Vector, random: () => number): Vector {
  const way = subtract(LAMP.centre, at)
  const square = dot(way, way)
  const towards = scale(way, 1 / Math.sqrt(square))
  // The lamp fills a cone. The distance of a random point of a disc from the middle gives the angle to the axis, and its angle gives the side.
  const narrowest = Math.sqrt(1 - (LAMP.radius * LAMP.radius) / square)
  const [a, b, radius] = inDisc(random)
  const cosine = 1 - radius * (1 - narrowest)
  const sine = Math.sqrt((1 - cosine * cosine) / radius)
  const [right, up] = across(towards)
  const direction = add(scale(towards, cosine), add(scale(right, a * sine), scale(up, b * sine)))
  const slant = dot(direction, normal)
  if (slant <= 0 || OPAQUE.some(sphere => distanceTo(sphere, at, direction) !== Number.POSITIVE_INFINITY)) {
    return vector(0, 0, 0)
  }
  return scale(LAMP.light, 2 * (1 - narrowest) * slant)
}

function reflect(direction: Vector, normal: Vector): Vector {
  return subtract(direction, scale(normal, 2 * dot(direction, normal)))
}

/** Refracts a ray by Snell's law, or reflects it, with the probability of Fresnel's law (Schlick's approximation). */
function throughGlass(direction: Vector, outward: Vector, random: () => number): Vector {
  const enters = dot(direction, outward) < 0
  const normal = enters ? outward : scale(outward, -1)
  const ratio = enters ? 1 / REFRACTION : REFRACTION
  const cosine = -dot(direction, normal)
  const square = 1 - ratio * ratio * (1 - cosine * cosine)
  if (square <= 0) return reflect(direction, normal)
  const cosineBehind = Math.sqrt(square)
  const straight = ((1 - REFRACTION) / (1 + REFRACTION)) * ((1 - REFRACTION) / (1 + REFRACTION))
  const slant = 1 - (enters ? cosine : cosineBehind)
  const reflected = straight + (1 - straight) * slant * slant * slant * slant * slant
  if (random() < reflected) return reflect(direction, normal)
  return unit(add(scale(direction, ratio), scale(normal, ratio * cosine - cosineBehind)))
}

/** Returns the light that reaches `from` from a direction. */
function lightFrom(from: Vector, direction: Vector, random: () => number): Vector {
  let light = vector(0, 0, 0)
  /** The share of the light that remains after all surfaces on the way to the eye. */
  let share = vector(1, 1, 1)
  /** Whether the lamp counts when the ray hits the lamp. After a matt surface, the light of the lamp is already counted. */
  let seesLamp = true
  for (let bounce = 0; bounce < MOST_BOUNCES; bounce++) {
    const { distance, sphere } = firstHit(from, direction)
    if (seesLamp && distanceTo(LAMP, from, direction) < distance) return add(light, multiply(share, LAMP.light))
    if (distance === Number.POSITIVE_INFINITY) return add(light, multiply(share, skyAt(direction)))
    const at = add(from, scale(direction, distance))
    const normal = sphere === undefined ? vector(0, 1, 0) : scale(subtract(at, sphere.centre), 1 / sphere.radius)
    share = multiply(share, sphere?.colour ?? tableAt(at))
    if (sphere?.surface === 'glass') direction = throughGlass(direction, normal, random)
    else if (sphere?.surface === 'mirror') direction = reflect(direction, normal)
    else {
      light = add(light, multiply(share, lampLight(add(at, scale(normal, ABOVE)), normal, random)))
      seesLamp = false
      // Directions near the normal are more likely, because slanting light counts less.
      direction = unit(add(normal, scale(anyDirection(random), 1 - ABOVE)))
    }
    from = add(at, scale(direction, ABOVE))
  }
  return light
}

/** Returns the colour of a pixel: the mean of paths through `side` by `side` parts of the pixel, each at a random point of its part. */
function pixel(x: number, y: number, width: number, height: number, side: number): Vector {
  const random = randomFrom(Math.imul(y * width + x + 1, 0x9e3779b1))
  let sum = vector(0, 0, 0)
  for (let sample = 0; sample < side * side; sample++) {
    const px = x + ((sample % side) + random()) / side - width / 2
    const py = y + (Math.floor(sample / side) + random()) / side - height / 2
    const aside = add(scale(RIGHT, px), scale(UP, -py))
    // The picture is one unit wide, at a distance of one unit from the eye.
    const light = lightFrom(EYE, unit(add(FORWARD, scale(aside, 1 / width))), random)
    // The lamp is many times as bright as white. Its edges would look jagged, because only some paths of a pixel hit the lamp there.
    sum = add(sum, vector(Math.min(light.x, 8), Math.min(light.y, 8), Math.min(light.z, 8)))
  }
  return scale(sum, 1 / (side * side))
}

/** Converts light to a screen value. Dark tones get more of the 256 steps than bright tones. */
function tone(light: number): number {
  return Math.round(255 * Math.sqrt(Math.min(1, light)))
}

function checked(name: string, value: number, least: number, most: number): number {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${name} must be a whole number from ${least} to ${most}`)
  return value
}

export default defineTask({
  name: 'ray-trace',

  *split(input: { width?: number; samples?: number } | undefined) {
    const width = checked('width', input?.width ?? DEFAULT.width, 16, 10_000)
    const samples = checked('samples', input?.samples ?? DEFAULT.samples, 1, 1_000_000)
    const height = Math.round((width * 9) / 16)
    for (let top = 0; top < height; top += TILE) {
      for (let left = 0; left < width; left += TILE) yield { left, top, width, height, samples }
    }
  },

  run({ left, top, width, height, samples }) {
    const columns = Math.min(TILE, width - left)
    const rows = Math.min(TILE, height - top)
    // A square number of parts divides the pixel evenly.
    const side = Math.ceil(Math.sqrt(samples))
    const colours = new Uint8Array(3 * columns * rows)
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const colour = pixel(left + x, top + y, width, height, side)
        colours.set([tone(colour.x), tone(colour.y), tone(colour.z)], 3 * (y * columns + x))
      }
    }
    return { left, top, columns, rows, colours, samples }
  },

  // Without `reduce`, `finish` gets the array of partials. Here the partials are the tiles.
  finish(tiles) {
    const last = tiles.at(-1)
    const width = (last?.left ?? 0) + (last?.columns ?? 0)
    const height = (last?.top ?? 0) + (last?.rows ?? 0)
    const data = new Uint8Array(3 * width * height)
    for (const { left, top, columns, rows, colours } of tiles) {
      for (let y = 0; y < rows; y++) {
        data.set(colours.subarray(3 * columns * y, 3 * columns * (y + 1)), 3 * ((top + y) * width + left))
      }
    }
    const sha256 = createHash('sha256').update(data).digest('hex')
    const isDefault = width === DEFAULT.width && last?.samples === DEFAULT.samples
    const digest = isDefault ? `${sha256}, verified: ${sha256 === DEFAULT.sha256}` : sha256
    console.log(`SHA-256 of the pixels: ${digest}`)
    return encode(
      { width, height, channels: 3, data, text: { Title: 'Spheres', Digest: digest } },
      { zlib: { level: 9 } }
    )
  }
})
