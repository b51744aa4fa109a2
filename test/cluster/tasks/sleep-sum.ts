// Sums 0…n−1; each chunk takes `ms` and writes a line to `file` with its value and its process, so that executions can be counted. Once the
// file `until` exists, chunks take no time any more, so a job lasts exactly as long as a test needs it.
import { appendFileSync, existsSync } from 'node:fs'
import { defineTask } from 'p2p-worker'

interface Input {
  n: number
  ms: number
  file?: string
  until?: string
}

export default defineTask({
  name: 'sleep-sum',
  *split({ n, ms, file, until }: Input) {
    for (let value = 0; value < n; value++) yield { value, ms, file, until }
  },
  async run({ value, ms, file, until }) {
    if (file !== undefined) appendFileSync(file, `${value} ${process.pid}\n`)
    const isOver = until !== undefined && existsSync(until)
    if (ms > 0 && !isOver) await new Promise(resolve => setTimeout(resolve, ms))
    return value
  },
  initial: 0,
  reduce: (sum, value) => sum + value
})
