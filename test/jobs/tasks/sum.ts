import { appendFileSync } from 'node:fs'
import { defineTask } from 'p2p-worker'

interface Input {
  chunks: number
  /** How long a chunk keeps its thread busy, in ms. */
  busy?: number
  /** The index of a chunk that throws. */
  broken?: number
  /** The file where each run appends a line. */
  trail?: string
}

/** Sums square roots in chunk order, since a different order gives a different last bit. */
export default defineTask({
  name: 'sum',
  *split({ chunks, ...rest }: Input) {
    for (let i = 0; i < chunks; i++) yield { i, ...rest }
  },
  run({ i, busy = 0, broken, trail }, { log }) {
    if (trail !== undefined) appendFileSync(trail, `${i}\n`)
    if (i === broken) throw new RangeError(`chunk ${i} is broken`)
    const end = performance.now() + busy
    let x = 0
    while (performance.now() < end) x += 1
    if (i === 0) log('the first chunk', x >= 0)
    return Math.sqrt(i)
  },
  initial: 0,
  reduce: (sum, partial) => sum + partial
})
