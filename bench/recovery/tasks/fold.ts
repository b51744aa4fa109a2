// A job that mostly folds: its chunks do nothing, and `reduce` computes for about 1 ms on an accumulator of `bytes`. So every ms that a checkpoint
// takes from the folding thread or from the leader makes the job longer.
import { defineTask } from 'p2p-worker'

export interface FoldInput {
  n: number
  /** The size of the accumulator, in bytes. */
  bytes: number
}

/** The number of additions in a fold. They take about 1 ms. */
const ADDITIONS = 200_000
/** The count of numbers in a partial, which have 10 kB in total. */
const PARTIAL = 1_250

export default defineTask({
  name: 'fold',
  *split({ n, bytes }: FoldInput) {
    for (let index = 0; index < n; index++) yield { index, bytes }
  },
  run({ index, bytes }) {
    return { bytes, numbers: new Float64Array(PARTIAL).map((_, i) => index + i) }
  },
  initial: (): { sums: Float64Array; at: number } => ({ sums: new Float64Array(0), at: 0 }),
  reduce({ sums, at }, { bytes, numbers }) {
    const all = sums.length === 0 ? new Float64Array(bytes / 8) : sums
    let next = at
    for (let i = 0; i < ADDITIONS; i++) {
      all[next]! += numbers[i % PARTIAL]!
      next = next + 1 === all.length ? 0 : next + 1
    }
    return { sums: all, at: next }
  },
  finish: ({ sums }) => sums.reduce((sum, number) => sum + number, 0)
})
