// A journal that many may write to and that refuses a writer whose epoch is over. It needs nothing but a folder that all of them see, and no lock.
//
// The folder has one file an entry, 00000001.json, 00000002.json, …, each with the epoch of its writer. A writer looks at the last
// entry, and is refused when that one's epoch is above its own; then it makes the next file, which the file system refuses where there is
// one. So whoever was paused anywhere in between, and wakes up when another one has written, changes nothing. A database does the same
// with one statement: UPDATE … SET value = ?, epoch = ? WHERE epoch <= ?
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Somebody with a newer epoch has written. Whoever gets this does not lead any more, and should end. */
export class FencedError extends Error {
  name = 'FencedError'
}

/** The numbers of all entries, in their order. */
function numbersIn(folder) {
  return readdirSync(folder)
    .flatMap(name => /^(\d{8})\.json$/.exec(name)?.[1] ?? [])
    .sort()
}

/** All entries, the oldest first: `{ epoch, text }`. */
export function entriesOf(folder) {
  return numbersIn(folder).map(number => JSON.parse(readFileSync(join(folder, `${number}.json`), 'utf8')))
}

/** Adds an entry of the leader of this epoch. Throws a FencedError when a newer leader has written, or writes at this moment. */
export function append(folder, { epoch, text }) {
  if (!Number.isSafeInteger(epoch)) throw new TypeError(`an epoch is a whole number, not ${epoch}`)
  mkdirSync(folder, { recursive: true })
  const last = numbersIn(folder).at(-1) ?? '00000000'
  const before = last === '00000000' ? 0 : JSON.parse(readFileSync(join(folder, `${last}.json`), 'utf8')).epoch
  if (before > epoch) throw new FencedError(`epoch ${epoch} is over: epoch ${before} writes now`)
  const next = String(Number(last) + 1).padStart(8, '0')
  const draft = join(folder, `draft-${epoch}-${process.pid}`)
  writeFileSync(draft, JSON.stringify({ epoch, text }))
  try {
    // Unlike a rename, this fails where the file is there already; and the file is whole from the first moment.
    linkSync(draft, join(folder, `${next}.json`))
  } catch (cause) {
    if (cause.code !== 'EEXIST') throw cause
    throw new FencedError(`epoch ${epoch} is late: entry ${Number(next)} is another's`, { cause })
  } finally {
    rmSync(draft)
  }
}
