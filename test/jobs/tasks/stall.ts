import { appendFileSync, readFileSync } from 'node:fs'
import { defineTask } from 'p2p-worker'

interface Input {
  chunks: number
  /** The chunk that never ends where it is started first. */
  stalled: number
  /** The file where each run appends a line. */
  trail: string
}

/** Squares; one of them needs a second start. */
export default defineTask({
  *split({ chunks, ...rest }: Input) {
    for (let i = 0; i < chunks; i++) yield { i, ...rest }
  },
  run({ i, stalled, trail }) {
    if (i === stalled) {
      appendFileSync(trail, 'run\n')
      // The chunk ignores its signal: only its thread can be terminated.
      if (readFileSync(trail, 'utf8') === 'run\n') for (;;) Math.random()
    }
    return i * i
  },
  initial: 0,
  reduce: (sum, partial) => sum + partial
})
