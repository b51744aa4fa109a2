// A job that mostly folds: chunks do nothing, and `reduce` computes for about a ms on an accumulator of `bytes`. So the time that a checkpoint takes
// from the folding thread or the leader adds to the time of the job.
import { defineTask } from 'p2p-worker'

export interface FoldInput {
  n: number
  /** The size of the accumulator, in bytes. */
  bytes: number
}

/** The additions of a fold, which take about a ms. */
const ADDITIONS = 200_000
/** The numbers of a partial, 10 kB in total. */
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
