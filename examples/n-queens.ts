// npx p2p-worker run examples/n-queens.ts --input '{"n":12}'
//
// In how many ways can n queens stand on a board of n by n fields so that no queen attacks another queen? The search tree is cut
// below its second row: each way to place the first two queens is a chunk. A worker searches the part of the tree below its
// chunk. The chunks differ a lot in size. Still all slots are busy, because a slot takes its next chunk when the slot is free.

import { defineTask } from 'p2p-worker'

/** The number of solutions for n = 1, 2, 3, … (OEIS A000170). */
const KNOWN = [
  1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624
] as const

/** The largest n. A set of columns is an integer with a bit for each column, which limits n. With n = 20, a cluster needs hours. */
const LARGEST = 20

/** The positions of the queens in the first rows. `columns` contains the column of the queen of each row. */
interface Chunk {
  n: number
  columns: number[]
}

function attacks(columns: number[], column: number): boolean {
  const row = columns.length
  return columns.some((other, otherRow) => other === column || Math.abs(other - column) === row - otherRow)
}

/** Yields all ways to add one queen in the next row. */
function* placeOneMore({ n, columns }: Chunk): Generator<Chunk> {
  for (let column = 0; column < n; column++) {
    if (!attacks(columns, column)) yield { n, columns: [...columns, column] }
  }
}

/**
 * Counts the ways to fill the remaining rows. The three sets contain the columns of this row that the queens above attack: straight
 * down, and along both diagonals. The columns of a diagonal move by one column from row to row.
 */
function countBelow(all: number, straight: number, left: number, right: number): number {
  if (straight === all) return 1
  let solutions = 0
  let free = all & ~(straight | left | right)
  while (free !== 0) {
    const column = free & -free
    free ^= column
    solutions += countBelow(all, straight | column, ((left | column) << 1) & all, (right | column) >> 1)
  }
  return solutions
}

export default defineTask({
  name: 'n-queens',

  // `split` must always yield the same chunks for the same input. After a crash the next leader calls `split` again.
  *split(input: { n: number }) {
    const n = input?.n
    if (!Number.isInteger(n) || n < 1 || n > LARGEST)
      throw new RangeError(`n must be a whole number from 1 to ${LARGEST}`)
    for (const first of placeOneMore({ n, columns: [] })) {
      // A board of one or two rows is one chunk.
      if (n <= 2) yield first
      else yield* placeOneMore(first)
    }
  },

  run({ n, columns }) {
    const all = 2 ** n - 1
    let straight = 0
    let left = 0
    let right = 0
    for (const column of columns) {
      straight |= 1 << column
      left = ((left | (1 << column)) << 1) & all
      right = (right | (1 << column)) >> 1
    }
    return { n, solutions: countBelow(all, straight, left, right) }
  },

  initial: { n: 0, solutions: 0 },

  reduce: (sum, partial) => ({ n: partial.n, solutions: sum.solutions + partial.solutions }),

  finish({ n, solutions }) {
    const known = KNOWN[n - 1]
    return known === undefined ? { n, solutions } : { n, solutions, verified: solutions === known }
  }
})
