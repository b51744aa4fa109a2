/** The corpus: a file for each fault that the fuzzer has found. Each run of the suite replays all files. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FuzzReport, KeptFrame, Target } from './target.ts'

export interface Entry {
  target: string
  /** A description of the fault. */
  what: string
  frames: readonly KeptFrame[]
  /** The seed and the number of frames of the run that found the fault. Set only if the fault needs all frames of that run. */
  run?: { seed: number; frames: number }
}

/** Replays the entry. Resolves with the fault that the entry still causes, or with undefined if it causes no fault. */
export async function replay(
  target: Target,
  { frames, run }: Pick<Entry, 'frames' | 'run'>
): Promise<string | undefined> {
  return run === undefined ? await target.replay(frames) : (await target.fuzz(run)).find?.what
}

/** Reads all entries of a folder, with their file names. */
export function readCorpus(folder: string): [file: string, entry: Entry][] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .map(file => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Entry])
}

/** Stores a find with the fewest frames that cause the fault. Resolves with the name of the file. */
export async function keep(folder: string, target: Target, seed: number, report: FuzzReport): Promise<string> {
  const { what, frames } = report.find!
  const few = await fewest(target, frames)
  const how = few === undefined ? { frames: [], run: { seed, frames: report.frames } } : { frames: few }
  const digest = createHash('sha256').update(JSON.stringify(how)).digest('hex').slice(0, 12)
  const file = `${target.name}-${digest}.json`
  const entry: Entry = { target: target.name, what, ...how }
  writeFileSync(join(folder, file), `${JSON.stringify(entry, undefined, 2)}\n`)
  return file
}

/** The most attempts to cause the fault with fewer frames. */
const TRIES = 200

/**
 * Finds the last few frames that cause the fault, and omits all frames that the fault does not need. Returns undefined if the fault needs more than
 * the last few frames.
 */
async function fewest(target: Target, all: readonly KeptFrame[]): Promise<readonly KeptFrame[] | undefined> {
  let tries = TRIES
  const isEnough = async (frames: readonly KeptFrame[]): Promise<boolean> =>
    tries-- > 0 && (await target.replay(frames)) !== undefined
  let count = 1
  while (!(await isEnough(all.slice(-count)))) {
    if (count >= all.length) return undefined
    count *= 4
  }
  let frames = all.slice(-count)
  for (let size = Math.ceil(frames.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < frames.length && frames.length > 1; ) {
      const without: readonly KeptFrame[] = [...frames.slice(0, from), ...frames.slice(from + size)]
      if (await isEnough(without)) frames = [...without]
      else from += size
    }
  }
  return frames
}
