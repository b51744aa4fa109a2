// Adds an entry to a journal every second. The journal refuses the entry if a later holder of the lock has added an entry:
//
//   p2p-worker lock journal -- node examples/fenced-writer.mjs /shared/journal
//
// `lock` runs this program while it holds the lock, with the fencing token in P2P_WORKER_FENCE. Each later holder has a larger token, and the journal
// (fenced-store.mjs) compares tokens. So a writer that was paused or cut off changes nothing after the next writer has written. `lead --name journal`
// runs it with a token, too. `lead` without a name runs it with the epoch of the leadership in P2P_WORKER_EPOCH; with `--voters` that is a token.
//
// The optional second argument is the number of entries after which the program ends.
import { setTimeout as delay } from 'node:timers/promises'
import { append, FencedError } from './fenced-store.mjs'

const [folder = 'journal', entries = 'Infinity'] = process.argv.slice(2)
const { P2P_WORKER_FENCE, P2P_WORKER_EPOCH } = process.env
const token = Number(P2P_WORKER_FENCE ?? P2P_WORKER_EPOCH)

try {
  for (let i = 1; i <= Number(entries); i++) {
    append(folder, { token, text: `entry ${i} of token ${token}` })
    if (i < Number(entries)) await delay(1_000)
  }
} catch (error) {
  if (!(error instanceof FencedError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
