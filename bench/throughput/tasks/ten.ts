// A small job. The time of this job is the fixed cost that every job has.
import { defineTask } from 'p2p-worker'

export default defineTask({
  name: 'ten',
  *split({ n }: { n: number }) {
    for (let i = 0; i < n; i++) yield i
  },
  run: i => i * i,
  initial: 0,
  reduce: (sum, square) => sum + square
})
