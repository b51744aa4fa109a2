/** What a chunk computes: nothing but the processor takes part, and the result shows that all of it was done. */
export function work(index: number, rounds: number): number {
  let x = index + 1
  for (let round = 0; round < rounds; round++) {
    x = (Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) + round) | 0
    x ^= x >>> 12
  }
  return x / 2 ** 31
}
