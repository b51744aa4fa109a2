// A journal with many writers, which refuses a writer of an old epoch. It needs only a folder that all writers share, and no lock.
//
// The folder has one file for each entry, 00000001.json, 00000002.json, …, with the epoch of its writer. A writer reads the last entry, and is
// refused if that entry has a higher epoch. Then it creates the next file, which fails if the file exists. So a writer that was paused anywhere
// in between, while another one wrote, changes nothing. A database does the same by one statement:
// UPDATE … SET value = ?, epoch = ? WHERE epoch <= ?
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A writer with a newer epoch has written. The writer that gets this error does not lead any more, and should end. */
export class FencedError extends Error {
  name = 'FencedError'
}

/** The numbers of all entries, in order. */
function numbersIn(folder) {
  return readdirSync(folder)
    .flatMap(name => /^(\d{8})\.json$/.exec(name)?.[1] ?? [])
    .sort()
}

/** All entries, the oldest first: `{ epoch, text }`. */
export function entriesOf(folder) {
  return numbersIn(folder).map(number => JSON.parse(readFileSync(join(folder, `${number}.json`), 'utf8')))
}

/** Adds an entry for the leader of this epoch. Throws a FencedError if a newer leader has written, or writes at this moment. */
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
    // Unlike a rename, a link fails if the file exists; and the file is complete from the first moment.
    linkSync(draft, join(folder, `${next}.json`))
  } catch (cause) {
    if (cause.code !== 'EEXIST') throw cause
    throw new FencedError(`epoch ${epoch} is late: entry ${Number(next)} is another's`, { cause })
  } finally {
    rmSync(draft)
  }
}
