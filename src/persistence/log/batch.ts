/** The changes that {@link DurableLog} writes together. */
import type { Change } from './frames.ts'

/** A change of one key, with the contents of its value. The bytes must not change afterwards. */
export interface LogChange extends Change {
  contents?: readonly Uint8Array[]
}

/** Changes that are written together. The newest change of a key replaces earlier ones. */
export interface Batch {
  id: number
  changes: Map<string, LogChange>
  done: (() => void)[]
  /** Whether the rest of a write that failed follows. */
  isPart?: boolean
}

export function emptyBatch(): Batch {
  return { id: 0, changes: new Map(), done: [] }
}

/** Calls `done` when all of the batches are synced. */
export function after(batches: readonly Batch[], done: () => void): void {
  let left = batches.length
  if (left === 0) done()
  const synced = (): void => {
    left -= 1
    if (left === 0) done()
  }
  for (const batch of batches) batch.done.push(synced)
}
