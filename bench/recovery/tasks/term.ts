/** The partial of a chunk. The sum of these depends on the order of its terms, in the last bits. */
export function term(index: number): number {
  return Math.sin(index + 1) * 10 ** (index % 30)
}

/** What one loop makes of `n` chunks: the result must be equal to it, to the bit. */
export function sumOf(n: number): number {
  let sum = 0
  for (let index = 0; index < n; index++) sum += term(index)
  return sum
}
