// A split that never ends. What it does shows in a folder: `asked` has a byte for each chunk that was asked for, `begun` one for each
// time that one has begun, and `beat` is made again and again by the thread in which it runs.
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
      // Large enough that as many as the leader could split in the time of this test would be noticed in its memory.
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
