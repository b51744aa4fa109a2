// Chunks that keep a processor busy, each for as long.
import { defineTask } from 'p2p-worker'
import { work } from './work.ts'

export interface ComputeInput {
  n: number
  rounds: number
}

// As warm as the loop beside it. V8 that meets a long loop in the very first call may never run it as fast as it can: what follows the loop
// has not been seen yet.
for (let index = 0; index < 3; index++) work(index, 10)

export default defineTask({
  name: 'compute',
  *split({ n, rounds }: ComputeInput) {
    for (let index = 0; index < n; index++) yield { index, rounds }
  },
  run: ({ index, rounds }) => work(index, rounds),
  initial: 0,
  reduce: (sum, partial) => sum + partial
})
