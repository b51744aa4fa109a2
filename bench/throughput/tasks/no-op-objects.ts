// Like no-op.ts, with small objects as chunks and partials.
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
