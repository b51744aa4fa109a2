// Makes one payload of the size in the input, in MiB: a chunk, a partial or the result.
import { defineTask } from 'p2p-worker'

interface Input {
  chunk?: number
  partial?: number
  result?: number
}

const bytes = (mib = 0): Uint8Array => new Uint8Array(mib * 2 ** 20)

export default defineTask({
  *split({ chunk, partial, result }: Input) {
    for (let i = 0; i < 4; i++) yield { partial: i === 2 ? partial : 0, result, payload: bytes(i === 2 ? chunk : 0) }
  },
  run: ({ partial, result }) => ({ result, payload: bytes(partial) }),
  initial: 0,
  reduce: (sum, { result = 0 }) => Math.max(sum, result),
  finish: result => bytes(result)
})
