// A split that never ends. A folder shows its progress: `asked` has a byte for each requested chunk, `begun` one for each started
// chunk, and the thread of split writes `beat` again and again.
import { appendFileSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { defineTask } from 'p2p-worker'

interface Input {
  folder: string
  /** The most chunks that split may be ahead of the started ones. */
  most: number
  /** Whether split yields chunks, or loops before the first. */
  yields: boolean
}

export default defineTask({
  *split({ folder, most, yields }: Input) {
    const beat = (): void => writeFileSync(`${folder}/beat`, '')
    setInterval(beat, 5)
    while (!yields) beat()
    for (let i = 0; ; i++) {
      appendFileSync(`${folder}/asked`, '.')
      // A large payload, so that the leader's memory would show it if split ran far ahead.
      yield { i, folder, most, payload: new Uint8Array(100_000) }
    }
  },
  async run({ i, folder, most }) {
    appendFileSync(`${folder}/begun`, '.')
    await setTimeout(5)
    const ahead = statSync(`${folder}/asked`).size - statSync(`${folder}/begun`).size
    if (ahead > most) throw new Error(`split was asked for ${ahead} chunks more than were begun`)
    if (i % 100 === 0) console.log(`chunk ${i} has run`)
  },
  initial: 0,
  reduce: chunks => chunks + 1
})
