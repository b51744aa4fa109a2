/** Computes the partial of a chunk. The last bits of the sum depend on the order in which the partials are added. */
export function term(index: number): number {
  return Math.sin(index + 1) * 10 ** (index % 30)
}

/** Computes the sum of `n` chunks in one loop. The result of a job must equal this sum to the bit. */
export function sumOf(n: number): number {
  let sum = 0
  for (let index = 0; index < n; index++) sum += term(index)
  return sum
}
