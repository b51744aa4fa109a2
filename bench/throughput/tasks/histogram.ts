// The transfer and the sum of the partials cost more than their computation, so that the leader has most of the load.
import { defineTask } from 'p2p-worker'
import { add, CELLS, draw } from './cells.ts'

export default defineTask({
  name: 'histogram',
  *split({ n }: { n: number }) {
    for (let i = 0; i < n; i++) yield i
  },
  run: i => draw(i),
  initial: () => new Float64Array(CELLS),
  reduce: add
})
