// Chunks that keep a processor busy, each for as long.
import { defineTask } from 'p2p-worker'
import { work } from './work.ts'

export interface ComputeInput {
  n: number
  rounds: number
}

export default defineTask({
  name: 'compute',
  *split({ n, rounds }: ComputeInput) {
    for (let index = 0; index < n; index++) yield { index, rounds }
  },
  run: ({ index, rounds }) => work(index, rounds),
  initial: 0,
  reduce: (sum, partial) => sum + partial
})
