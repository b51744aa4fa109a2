// Chunks that each keep a processor busy for the same time.
import { defineTask } from 'p2p-worker'
import { work } from './work.ts'

export interface ComputeInput {
  n: number
  rounds: number
}

// Warm up as much as the compared loop. If the very first call contains the long loop, V8 may never reach full speed, because it has not yet run the
// code after the loop.
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
