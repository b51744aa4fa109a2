// Chunks that loop for ever and never yield: each records in `file` that it begins, and every 5 ms that it still runs. With `hangs`, only that
// chunk loops, and only in its first execution.
import { appendFileSync, writeFileSync } from 'node:fs'
import { defineTask } from 'p2p-worker'

interface Input {
  n: number
  file: string
  hangs?: number
}

interface Chunk {
  value: number
  file: string
  hangs?: number | undefined
}

const nothing = new Int32Array(new SharedArrayBuffer(4))

export default defineTask({
  name: 'looping',
  *split({ n, file, hangs }: Input) {
    for (let value = 0; value < n; value++) yield { value, file, hangs }
  },
  run(chunk: Chunk): number {
    const { value, file } = chunk
    appendFileSync(file, `begins ${value} ${process.pid}\n`)
    const endless = isEndless(chunk)
    while (endless) {
      Atomics.wait(nothing, 0, 0, 5)
      appendFileSync(file, `runs ${value} ${process.pid}\n`)
    }
    return value
  },
  initial: 0,
  reduce: (sum, value) => sum + value
})

/** Returns whether this execution never ends. The first execution creates a file, so that a later execution knows that the first execution has begun. */
function isEndless({ value, file, hangs }: Chunk): boolean {
  if (hangs === undefined) return true
  if (value !== hangs) return false
  try {
    writeFileSync(`${file}-first`, '', { flag: 'wx' })
    return true
  } catch {
    return false
  }
}
