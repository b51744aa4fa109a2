/** The computation of a chunk. It uses only the processor, and its result depends on every round. */
export function work(index: number, rounds: number): number {
  let x = index + 1
  for (let round = 0; round < rounds; round++) {
    x = (Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) + round) | 0
    x ^= x >>> 12
  }
  return x / 2 ** 31
}
