import { defineTask } from 'p2p-worker'

export default defineTask({
  *split({ n }: { n: number }) {
    for (let i = 1; i <= n; i++) yield i
  },
  run: (x: number) => x * x,
  initial: 0,
  reduce: (sum, square) => sum + square
})
