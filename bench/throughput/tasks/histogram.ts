// Partials that are larger than the work that they take, and are added up: what they weigh is what the leader has to carry.
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
