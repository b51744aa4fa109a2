// A journal with many writers, which refuses a writer with an old fencing token. The journal needs only a folder that all writers share, and no lock.
//
// The folder has one file for each entry, 00000001.json, 00000002.json, …, with the token of the writer. A writer reads the last entry, and is
// refused if this entry has a larger token. Then the writer creates the next file, which fails if the file exists. So a writer changes nothing
// if it was paused between these steps while another writer wrote. A database does the same by one statement:
// UPDATE … SET value = ?, token = ? WHERE token <= ?
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The error of a writer after a writer with a larger token has written. The writer that gets this error no longer holds the lock, and should end. */
export class FencedError extends Error {
  name = 'FencedError'
}

/** Returns the numbers of all entries, in order. */
function numbersIn(folder) {
  return readdirSync(folder)
    .flatMap(name => /^(\d{8})\.json$/.exec(name)?.[1] ?? [])
    .sort()
}

/** Returns all entries as `{ token, text }`, the oldest first. */
export function entriesOf(folder) {
  return numbersIn(folder).map(number => JSON.parse(readFileSync(join(folder, `${number}.json`), 'utf8')))
}

/** Adds an entry for the holder with this token. Throws a FencedError if a later holder has written, or writes at the same moment. */
export function append(folder, { token, text }) {
  if (!Number.isSafeInteger(token)) throw new TypeError(`a token is a whole number, not ${token}`)
  mkdirSync(folder, { recursive: true })
  const last = numbersIn(folder).at(-1) ?? '00000000'
  const before = last === '00000000' ? 0 : JSON.parse(readFileSync(join(folder, `${last}.json`), 'utf8')).token
  if (before > token) throw new FencedError(`token ${token} is old: a writer with a larger one has written`)
  const next = String(Number(last) + 1).padStart(8, '0')
  const draft = join(folder, `draft-${token}-${process.pid}`)
  writeFileSync(draft, JSON.stringify({ token, text }))
  try {
    // Unlike a rename, a link fails if the file exists. The linked file is complete from the first moment.
    linkSync(draft, join(folder, `${next}.json`))
  } catch (cause) {
    if (cause.code !== 'EEXIST') throw cause
    throw new FencedError(`token ${token} is late: entry ${Number(next)} is another's`, { cause })
  } finally {
    rmSync(draft)
  }
}
