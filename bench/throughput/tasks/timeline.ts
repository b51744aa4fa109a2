// A small job like the job of ten.ts. Its result lists when its functions were called, in ms, by a clock that all processes of the machine share.
import { defineTask } from 'p2p-worker'

// The task does not use `process`, so that its thread treats this task like most tasks, which use only the language.
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
