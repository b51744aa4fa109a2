// Returns the bytes of its input, in chunks of three.
import { defineTask } from 'p2p-worker'

export default defineTask({
  *split(input: Uint8Array) {
    for (let i = 0; i < input.length; i += 3) yield input.slice(i, i + 3)
  },
  run: (bytes: Uint8Array) => bytes,
  finish: (parts: Uint8Array[]) => Uint8Array.from(parts.flatMap(part => [...part]))
})
