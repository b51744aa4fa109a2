// A job that never ends: its first chunk appends a line to a file.
import { appendFileSync } from 'node:fs'
import { defineTask } from 'p2p-worker'

export interface EndlessInput {
  file: string
  padding: Uint8Array
}

export default defineTask({
  name: 'endless',
  *split({ file }: EndlessInput) {
    yield file
  },
  async run(file) {
    appendFileSync(file, 'runs\n')
    await new Promise(() => setInterval(() => {}, 1_000))
    return 0
  },
  initial: 0,
  reduce: (sum, one) => sum + one
})
