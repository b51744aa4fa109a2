// A histogram of pseudo-random numbers.
export const CELLS = 1_000
const DRAWS = 2_000

export function draw(seed: number): Float64Array {
  const cells = new Float64Array(CELLS)
  let state = seed + 1
  for (let i = 0; i < DRAWS; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    cells[state % CELLS]! += 1
  }
  return cells
}

export function add(sum: Float64Array, other: Float64Array): Float64Array {
  for (let i = 0; i < sum.length; i++) sum[i]! += other[i]!
  return sum
}
