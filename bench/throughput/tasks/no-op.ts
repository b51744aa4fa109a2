// Chunks that do nothing but be told from one another: what is left is what the system itself takes. The sum shows that each counted once.
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
