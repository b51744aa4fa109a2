// One of its chunks ends its process at once, after it has recorded where it runs.
import { appendFileSync } from 'node:fs'
import { defineTask } from 'p2p-worker'

export default defineTask({
  *split({ file, n }: { file: string; n: number }) {
    for (let i = 0; i < n; i++) yield { file, i }
  },
  async run({ file, i }) {
    if (i === 3) {
      appendFileSync(file, `${process.pid}\n`)
      process.kill(process.pid, 'SIGKILL')
    }
    await new Promise(resolve => setTimeout(resolve, 50))
    return i
  }
})
