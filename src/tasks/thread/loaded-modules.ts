/** What this thread has loaded of tasks: no module can be dropped from a thread, so one that has loaded much is replaced. */
import { statSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import { held } from './left-behind.ts'

/** Each takes some 50 kB besides its code and data. */
const MOST_MODULES = 100
/** Of the heap, for their code and what they make as they load: the rest is for chunks. */
const MOST_SHARE = 1 / 4

const loaded = new Set<string>()
let bytes = 0

/** Imports a module of the user's; one that this thread has imported before takes no more memory. */
export async function importCounted(url: URL): Promise<object> {
  if (loaded.has(url.href)) return await import(url.href)
  loaded.add(url.href)
  const before = held()
  try {
    return await import(url.href)
  } finally {
    // At least its source, where garbage was collected meanwhile.
    bytes += Math.max(held() - before, statSync(url, { throwIfNoEntry: false })?.size ?? 0)
  }
}

/** Whether another thread should take the next call. A single module is not to blame: it would be loaded there anew. */
export function hasLoadedEnough(): boolean {
  if (loaded.size < 2) return false
  return loaded.size >= MOST_MODULES || bytes > getHeapStatistics().heap_size_limit * MOST_SHARE
}
