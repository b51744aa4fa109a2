// Like histogram.ts, but the workers combine the partials.
import { defineTask } from 'p2p-worker'
import { add, CELLS, draw } from './cells.ts'

export default defineTask({
  name: 'histogram-combined',
  *split({ n }: { n: number }) {
    for (let i = 0; i < n; i++) yield i
  },
  run: i => draw(i),
  combine: add,
  initial: () => new Float64Array(CELLS),
  reduce: add
})
