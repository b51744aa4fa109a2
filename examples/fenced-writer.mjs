// Adds an entry to a journal every second, and is refused once somebody with a newer epoch has added one:
//
//   p2p-worker lead --voters voters.txt --data-dir data -- node examples/fenced-writer.mjs /shared/journal
//
// The journal is a folder with one file an entry, 00000001.json, 00000002.json, …, that holds the epoch of its writer. A writer looks at the last
// entry, and stops when that one's epoch is above its own; then it makes the next file, which the file system refuses
// where there is one. So a leader that was paused anywhere in between, and wakes up when another one leads, changes nothing. That
// holds with --voters only: without them two leaders may have the same epoch.
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const [folder = 'journal', entries = 'Infinity'] = process.argv.slice(2)
const epoch = Number(process.env.P2P_WORKER_EPOCH)

/** Adds `text`. Throws when a newer leader has written. */
export function append(text) {
  const last = readdirSync(folder)
    .filter(name => /^\d{8}\.json$/.test(name))
    .sort()
    .at(-1)
  const before = last === undefined ? { epoch: 0 } : JSON.parse(readFileSync(join(folder, last), 'utf8'))
  if (before.epoch > epoch) throw new Error(`epoch ${epoch} is over: epoch ${before.epoch} writes now`)
  const number = (last === undefined ? 0 : Number.parseInt(last, 10)) + 1
  const draft = join(folder, `draft-${process.pid}`)
  writeFileSync(draft, JSON.stringify({ epoch, text }))
  try {
    // Unlike a rename, this fails where the file is there already; and the file is whole from the first moment.
    linkSync(draft, join(folder, `${String(number).padStart(8, '0')}.json`))
  } finally {
    rmSync(draft)
  }
}

mkdirSync(folder, { recursive: true })
for (let i = 1; i <= Number(entries); i++) {
  append(`entry ${i} of epoch ${epoch}`)
  await delay(1_000)
}
