// Sums 0…n−1; each chunk takes `ms` and leaves a line in `file`, its value and the process that it ran in: executions are counted by what they
// leave behind. Where there is a file `until`, chunks take no time any more: so a job lasts for as long as a test needs it to, and no longer.
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
