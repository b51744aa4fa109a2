// A journal with many writers, which refuses a writer with an old epoch. The journal needs only a folder that all writers share, and no lock.
//
// The folder has one file for each entry, 00000001.json, 00000002.json, …, with the epoch of the writer. A writer reads the last entry, and is
// refused if this entry has a higher epoch. Then the writer creates the next file, which fails if the file exists. So a writer changes nothing
// if it was paused between these steps while another writer wrote. A database does the same by one statement:
// UPDATE … SET value = ?, epoch = ? WHERE epoch <= ?
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The error of a writer after a writer with a newer epoch has written. The writer that gets this error no longer leads, and should end. */
export class FencedError extends Error {
  name = 'FencedError'
}

/** Returns the numbers of all entries, in order. */
function numbersIn(folder) {
  return readdirSync(folder)
    .flatMap(name => /^(\d{8})\.json$/.exec(name)?.[1] ?? [])
    .sort()
}

/** Returns all entries as `{ epoch, text }`, the oldest first. */
export function entriesOf(folder) {
  return numbersIn(folder).map(number => JSON.parse(readFileSync(join(folder, `${number}.json`), 'utf8')))
}

/** Adds an entry for the leader with this epoch. Throws a FencedError if a newer leader has written, or writes at the same moment. */
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
    // Unlike a rename, a link fails if the file exists. The linked file is complete from the first moment.
    linkSync(draft, join(folder, `${next}.json`))
  } catch (cause) {
    if (cause.code !== 'EEXIST') throw cause
    throw new FencedError(`epoch ${epoch} is late: entry ${Number(next)} is another's`, { cause })
  } finally {
    rmSync(draft)
  }
}
