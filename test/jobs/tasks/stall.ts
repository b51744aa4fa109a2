import { appendFileSync, readFileSync } from 'node:fs'
import { defineTask } from 'p2p-worker'

interface Input {
  chunks: number
  /** The index of the chunk whose first execution never ends. */
  stalled: number
  /** The file where each run appends a line. */
  trail: string
}

/** Sums squares. The first execution of one chunk never ends, so that chunk needs a second start. */
export default defineTask({
  *split({ chunks, ...rest }: Input) {
    for (let i = 0; i < chunks; i++) yield { i, ...rest }
  },
  run({ i, stalled, trail }) {
    if (i === stalled) {
      appendFileSync(trail, 'run\n')
      // The chunk ignores its signal, so only terminating its thread ends it.
      if (readFileSync(trail, 'utf8') === 'run\n') for (;;) Math.random()
    }
    return i * i
  },
  initial: 0,
  reduce: (sum, partial) => sum + partial
})
