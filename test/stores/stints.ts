/** The marks of the commands that a test runs under a lease or a lock (marker.mjs): one file for each stint, with the times of its marks. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One run of the command. */
export interface Stint {
  /** The fencing token or the epoch of the run. */
  token: number
  /** The times of the first and the last mark, in ns. */
  from: number
  until: number
}

/** Returns the stints of a folder, in the order of time. */
export async function stintsIn(folder: string): Promise<Stint[]> {
  const stints = await Promise.all((await readdir(folder)).map(name => readStint(folder, name)))
  return stints.flat().sort((a, b) => a.from - b.from)
}

/** Returns the stint with the largest token, if there is one. */
export async function newestIn(folder: string): Promise<Stint | undefined> {
  const names = await readdir(folder)
  const name = names.reduce((a, b) => (tokenOf(b) > tokenOf(a) ? b : a), names[0] ?? '')
  return name === '' ? undefined : (await readStint(folder, name))[0]
}

async function readStint(folder: string, name: string): Promise<Stint[]> {
  // The last line may be half written.
  const lines = (await readFile(join(folder, name), 'utf8')).split('\n').slice(0, -1)
  const [from, until] = [lines[0], lines.at(-1)]
  return from === undefined ? [] : [{ token: tokenOf(name), from: Number(from), until: Number(until) }]
}

function tokenOf(name: string): number {
  return Number(name.split('-')[0])
}

/** Returns the time from the end of all earlier stints to the beginning of each stint but the first, in ms. A negative time is an overlap. */
export function gapsBetween(stints: readonly Stint[]): number[] {
  let until = stints[0]?.until ?? 0
  return stints.slice(1).map(stint => {
    const gap = (stint.from - until) / 1e6
    until = Math.max(until, stint.until)
    return gap
  })
}
