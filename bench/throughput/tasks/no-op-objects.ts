// As no-op.ts, with chunks and partials that are small objects.
import { defineTask } from 'p2p-worker'

export default defineTask({
  name: 'no-op-objects',
  *split({ n }: { n: number }) {
    for (let i = 0; i < n; i++) yield { a: i, b: 2 }
  },
  run: chunk => chunk,
  initial: 0,
  reduce: (sum, { a }) => sum + a
})
