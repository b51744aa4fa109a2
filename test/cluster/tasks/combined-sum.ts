// A sum whose last bits depend on the order of additions, and a file that records where the additions ran.
import { appendFileSync } from 'node:fs'
import { threadId } from 'node:worker_threads'
import { defineTask } from 'p2p-worker'

interface Part {
  sum: number
  last: number
  file: string
}

export default defineTask({
  *split({ n, ms, file }: { n: number; ms: number; file: string }) {
    for (let i = 0; i < n; i++) yield { i, ms, file }
  },
  run({ i, ms, file }): Part {
    for (const end = performance.now() + ms; performance.now() < end; );
    return { sum: Math.sin(i) * 10 ** (i % 30), last: i, file }
  },
  combine(a: Part, b: Part) {
    if (b.last % 16 === 15) appendFileSync(b.file, `combine ${b.last} ${process.pid}/${threadId}\n`)
    return { ...b, sum: a.sum + b.sum }
  },
  initial: { sum: 0, folds: 0 },
  reduce({ sum, folds }, part: Part, index) {
    appendFileSync(part.file, `reduce ${index} ${process.pid}/${threadId}\n`)
    return { sum: sum + part.sum, folds: folds + 1 }
  }
})
