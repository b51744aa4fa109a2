// Adds an entry to a journal every second. The journal refuses the entry if a writer with a newer epoch has added an entry:
//
//   p2p-worker lead --voters voters.txt --data-dir data -- node examples/fenced-writer.mjs /shared/journal
//
// `lead` runs this program at the leader, with the epoch of the leadership in P2P_WORKER_EPOCH. The journal (fenced-store.mjs) compares epochs.
// With `--voters` no two leaders have the same epoch. So a writer that was paused or cut off changes nothing after the next writer has written.
// Without voters two leaders may have the same epoch, one leader on each side of a network partition.
//
// The optional second argument is the number of entries after which the program ends.
import { setTimeout as delay } from 'node:timers/promises'
import { append, FencedError } from './fenced-store.mjs'

const [folder = 'journal', entries = 'Infinity'] = process.argv.slice(2)
const epoch = Number(process.env.P2P_WORKER_EPOCH)

try {
  for (let i = 1; i <= Number(entries); i++) {
    append(folder, { epoch, text: `entry ${i} of epoch ${epoch}` })
    if (i < Number(entries)) await delay(1_000)
  }
} catch (error) {
  if (!(error instanceof FencedError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
