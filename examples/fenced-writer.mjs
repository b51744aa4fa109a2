// Adds an entry to a journal every second, and is refused once somebody with a newer epoch has added one:
//
//   p2p-worker lead --voters voters.txt --data-dir data -- node examples/fenced-writer.mjs /shared/journal
//
// `lead` runs it on the leader and tells it the epoch of that leadership; the journal (fenced-store.mjs) compares epochs. Under `--voters` no two
// leaders have the same epoch, so a writer that was paused, or is cut off, changes nothing once the next one has begun. Without them
// two leaders may have the same epoch, one on each side of a cut.
//
// It ends after as many entries as the second word says, or never.
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
