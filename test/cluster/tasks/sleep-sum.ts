// Sums 0…n−1; each chunk takes `ms` and leaves a line in `file`: executions are counted by what they leave behind.
import { appendFileSync } from 'node:fs'
import { defineTask } from 'p2p-worker'

interface Input {
  n: number
  ms: number
  file?: string
}

export default defineTask({
  name: 'sleep-sum',
  *split({ n, ms, file }: Input) {
    for (let value = 0; value < n; value++) yield { value, ms, file }
  },
  async run({ value, ms, file }) {
    if (file !== undefined) appendFileSync(file, `${value}\n`)
    if (ms > 0) await new Promise(resolve => setTimeout(resolve, ms))
    return value
  },
  initial: 0,
  reduce: (sum, value) => sum + value
})
