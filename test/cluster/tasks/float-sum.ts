// A sum whose last bits depend on the order of the additions, so it is exact only if partials are folded in chunk order.
import { defineTask } from 'p2p-worker'

export default defineTask({
  *split({ n }: { n: number }) {
    for (let i = 1; i <= n; i++) yield i
  },
  run: (i: number) => Math.sin(i) * 10 ** (i % 30),
  initial: { sum: 0, order: [] as number[] },
  reduce: ({ sum, order }, partial, index) => ({ sum: sum + partial, order: index < 5 ? [...order, index] : order })
})
