import { defineTask } from 'p2p-worker'

/** Computes square roots. The task has no `reduce`, so the result is the array of partials. */
export default defineTask({
  name: 'roots',
  *split({ chunks, busy }: { chunks: number; busy: number }) {
    for (let i = 0; i < chunks; i++) yield { i, busy }
  },
  run({ i, busy }) {
    const end = performance.now() + busy
    while (performance.now() < end);
    return Math.sqrt(i)
  }
})
