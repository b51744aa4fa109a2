// Distinct chunks that do nothing, so that only the overhead of the system remains. The sum shows that each chunk was folded exactly once.
import { defineTask } from 'p2p-worker'

export default defineTask({
  name: 'no-op',
  *split({ n }: { n: number }) {
    for (let i = 0; i < n; i++) yield i
  },
  run: i => i,
  initial: 0,
  reduce: (sum, i) => sum + i
})
