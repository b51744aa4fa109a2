// Chunks that each keep a processor busy for the same time.
import { defineTask } from 'p2p-worker'
import { work } from './work.ts'

export interface ComputeInput {
  n: number
  rounds: number
}

// The task warms up like the loop with which it is compared. If the very first call contained the long loop, V8 might never reach full speed, because
// V8 would compile that loop before it has run the code after the loop.
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
