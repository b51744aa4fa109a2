// npx p2p-worker run examples/nas-ep.ts --input '{"class":"S"}'
//
// The "embarrassingly parallel" kernel of the NAS Parallel Benchmarks (report RNR-94-007, section 2.1): make 2^24 to 2^30 pairs of
// uniform random numbers, turn the pairs inside the unit circle into pairs of Gaussian deviates, add the deviates up, and count how
// many fall into each square annulus around the origin. NASA published the sums. If a chunk is lost or folded twice,
// `verified` is false.
//
// On one core class S takes about 1.5 s, W 3 s, A 20 s and B 80 s. Use a larger class on a larger cluster.

import { defineTask } from 'p2p-worker'

/** The log2 of the number of pairs, and the results that NASA published. The counts of class W are recomputed. */
const CLASSES = {
  S: {
    log2Pairs: 24,
    sx: -3247.83465203474,
    sy: -6958.407078382297,
    counts: [6140517, 5865300, 1100361, 68546, 1648, 17, 0, 0, 0, 0]
  },
  W: {
    log2Pairs: 25,
    sx: -2863.319731645753,
    sy: -6320.053679109499,
    counts: [12281576, 11729692, 2202726, 137368, 3371, 36, 0, 0, 0, 0]
  },
  A: {
    log2Pairs: 28,
    sx: -4295.875165629892,
    sy: -15807.32573678431,
    counts: [98257395, 93827014, 17611549, 1110028, 26536, 245, 0, 0, 0, 0]
  },
  B: {
    log2Pairs: 30,
    sx: 40338.15542441498,
    sy: -26606.69192809235,
    counts: [393058470, 375280898, 70460742, 4438852, 105691, 948, 5, 0, 0, 0]
  }
} as const

type ClassName = keyof typeof CLASSES

/** The size of a block, which the benchmark defines. A block is a good chunk, because its work takes some milliseconds. */
const PAIRS_PER_BLOCK = 2 ** 16

// The benchmark's generator is x ← a·x mod 2^46, and the random number is x / 2^46.
const SEED = 271828183
const MULTIPLIER = 5 ** 13
const TWO_23 = 2 ** 23
const TWO_46 = 2 ** 46

/** Returns a·b mod 2^46. A product of 92 bits does not fit a double (53 bits), so both factors are cut into halves of 23 bits. */
function multiply(a: number, b: number): number {
  const aHigh = Math.floor(a / TWO_23)
  const aLow = a - aHigh * TWO_23
  const bHigh = Math.floor(b / TWO_23)
  const bLow = b - bHigh * TWO_23
  const middle = (aHigh * bLow + aLow * bHigh) % TWO_23
  return (middle * TWO_23 + aLow * bLow) % TWO_46
}

/** Returns base^exponent mod 2^46, computed by squaring. */
function power(base: number, exponent: number): number {
  let result = 1
  for (let square = base, rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiply(result, square)
    square = multiply(square, square)
  }
  return result
}

/** Returns the generator's state before the given block. Because a worker can compute this state directly, the chunks are independent. */
function stateBefore(block: number): number {
  return multiply(SEED, power(MULTIPLIER, 2 * PAIRS_PER_BLOCK * block))
}

/** Whether the relative error is at most 1e-8, which is the criterion of NPB itself. */
function isClose(value: number, published: number): boolean {
  return Math.abs((value - published) / published) <= 1e-8
}

/** Returns the class with this number of pairs. Each class has another number, so the accumulator need not contain the name of the class. */
function classOf(pairs: number): ClassName | undefined {
  return (Object.keys(CLASSES) as ClassName[]).find(name => 2 ** CLASSES[name].log2Pairs === pairs)
}

export default defineTask({
  name: 'nas-ep',

  // The leader pulls chunks from this generator when the cluster has room for them, so a job of a million chunks costs no memory.
  // A chunk is only the number of a block, from which the worker computes the rest.
  *split(input: { class?: string } | undefined) {
    const name = input?.class ?? 'S'
    if (!Object.hasOwn(CLASSES, name)) throw new RangeError(`class must be S, W, A or B, not ${JSON.stringify(name)}`)
    const blocks = 2 ** CLASSES[name as ClassName].log2Pairs / PAIRS_PER_BLOCK
    for (let block = 0; block < blocks; block++) yield block
  },

  // A peer calls `run` in a worker thread. When a peer dies, another peer calls `run` for the same block, so `run` has no side effects.
  run(block) {
    const counts = new Array<number>(10).fill(0)
    let sx = 0
    let sy = 0
    let state = stateBefore(block)
    for (let pair = 0; pair < PAIRS_PER_BLOCK; pair++) {
      state = multiply(MULTIPLIER, state)
      const x = (2 * state) / TWO_46 - 1
      state = multiply(MULTIPLIER, state)
      const y = (2 * state) / TWO_46 - 1
      const t = x * x + y * y
      if (t > 1) continue
      // By Marsaglia's polar method, a point inside the circle gives two independent Gaussian deviates.
      const factor = Math.sqrt((-2 * Math.log(t)) / t)
      const gx = x * factor
      const gy = y * factor
      sx += gx
      sy += gy
      const annulus = Math.floor(Math.max(Math.abs(gx), Math.abs(gy)))
      counts[annulus] = (counts[annulus] ?? 0) + 1
    }
    return { pairs: PAIRS_PER_BLOCK, sx, sy, counts }
  },

  // Each job gets a clone of this value, so `reduce` may write into the value.
  initial: { pairs: 0, sx: 0, sy: 0, counts: new Array<number>(10).fill(0) },

  // The leader calls `reduce` in chunk order, even if the chunks end in another order. Another order of additions would change the
  // last digits. In this order, the result of twenty peers with a crash equals the result of one thread in every bit.
  reduce(sum, block) {
    sum.pairs += block.pairs
    sum.sx += block.sx
    sum.sy += block.sy
    block.counts.forEach((count, annulus) => {
      sum.counts[annulus] = (sum.counts[annulus] ?? 0) + count
    })
    return sum
  },

  finish({ pairs, sx, sy, counts }) {
    const name = classOf(pairs)
    const published = name && CLASSES[name]
    const verified =
      published !== undefined &&
      isClose(sx, published.sx) &&
      isClose(sy, published.sy) &&
      published.counts.every((count, annulus) => count === counts[annulus])
    return { class: name, pairs, sx, sy, counts, verified }
  }
})
