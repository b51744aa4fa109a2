// Each chunk takes `ms`, and writes a line to `file` when it begins and when it ends. With `busy` the chunk keeps a processor busy for this
// time, as a computing chunk does.
import { appendFileSync } from 'node:fs'
import { defineTask } from 'p2p-worker'
import { term } from './term.ts'

export interface SleepInput {
  n: number
  ms: number
  file?: string
  busy?: boolean
}

/** The slowdown of this peer. All peers of one machine are equally fast unless their environment sets a slowdown. */
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
