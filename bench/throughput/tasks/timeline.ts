// A small job like ten.ts whose result is when each of its functions was called, in ms of the clock that all processes of a machine share.
import { defineTask } from 'p2p-worker'

// Not by `process`: a task that uses nothing but the language is driven as most are.
const now = (): number => performance.timeOrigin + performance.now()

export default defineTask({
  name: 'timeline',
  *split({ n }: { n: number }) {
    const split = now()
    for (let i = 0; i < n; i++) yield split
  },
  run: split => ({ split, ran: now() }),
  initial: { split: 0, firstRan: Number.POSITIVE_INFINITY, lastRan: 0, folded: 0 },
  reduce: ({ firstRan, lastRan }, { split, ran }) => ({
    split,
    firstRan: Math.min(firstRan, ran),
    lastRan: Math.max(lastRan, ran),
    folded: now()
  }),
  finish: times => ({ ...times, finished: now() })
})
