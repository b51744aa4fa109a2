/** The partial of a chunk. The last bits of the sum depend on the order of the partials. */
export function term(index: number): number {
  return Math.sin(index + 1) * 10 ** (index % 30)
}

/** The sum of `n` chunks in one loop. The result of a job must equal it, to the bit. */
export function sumOf(n: number): number {
  let sum = 0
  for (let index = 0; index < n; index++) sum += term(index)
  return sum
}
