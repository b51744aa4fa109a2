import { readdir, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { firstMark } from '../../src/persistence/log/frames.ts'
import { idIn, scanSegment } from '../../src/persistence/log/segment.ts'

const NONE = new Uint8Array()

/**
 * Does to the data folder of a killed peer what a power cut does: cuts its newest file off anywhere behind the last sync. Returns the number of bytes
 * that are gone.
 */
export async function cutPower(folder: string, random: () => number): Promise<number> {
  const log = join(folder, 'log')
  const newest = (await readdir(log).catch(() => [])).filter(name => name.endsWith('.log')).sort()
  if (newest.length === 0) return 0
  const file = join(log, newest.at(-1)!)
  const bytes = await readFile(file)
  // The log notes the number of a batch after its sync.
  const synced = firstMark(await readFile(join(log, 'reached')).catch(() => NONE))?.sequence ?? 0
  const size = endOf(bytes, synced)
  const left = size + Math.floor(random() * (bytes.byteLength - size + 1))
  await truncate(file, left)
  return bytes.byteLength - left
}

/** Returns where the batch with this number ends, after which there is one more at most. */
function endOf(bytes: Uint8Array, sequence: number): number {
  const { frames, last = 0, end } = scanSegment(bytes, idIn(bytes) ?? NONE)
  if (last <= sequence) return last === 0 ? 0 : end
  // Marks lie between the frames of two batches.
  const isFirst = (i: number): boolean => i === 0 || frames[i - 1]!.offset + frames[i - 1]!.bytes < frames[i]!.offset
  const first = frames.findLast((_, i) => isFirst(i))
  return first === undefined || first === frames[0] ? 0 : first.offset
}
