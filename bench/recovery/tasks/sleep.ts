// Chunks that take `ms` each, and a line in `file` when each begins and another when it ends: who ran what, and when. With `busy` they keep
// a processor busy for that time, as chunks that compute do.
import { appendFileSync } from 'node:fs'
import { defineTask } from 'p2p-worker'
import { term } from './term.ts'

export interface SleepInput {
  n: number
  ms: number
  file?: string
  busy?: boolean
}

/** The peers of one machine are equally fast, but for one whose environment says otherwise. */
const TIMES_SLOWER = Number(process.env.BENCH_TIMES_SLOWER ?? 1)

export default defineTask({
  name: 'sleep',
  *split({ n, ms, file, busy = false }: SleepInput) {
    for (let index = 0; index < n; index++) yield { index, ms, file, busy }
  },
  async run({ index, ms, file, busy }) {
    const tell = (what: '+' | '-'): void => {
      if (file !== undefined) appendFileSync(file, `${what} ${index} ${process.pid} ${Date.now()}\n`)
    }
    const lasts = ms * TIMES_SLOWER
    tell('+')
    if (busy) for (const end = performance.now() + lasts; performance.now() < end; ) Math.sqrt(end)
    else await new Promise(resolve => setTimeout(resolve, lasts))
    tell('-')
    return term(index)
  },
  initial: 0,
  reduce: (sum, partial) => sum + partial
})
