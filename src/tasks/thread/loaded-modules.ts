/** What this thread has loaded of tasks: no module can be dropped from a thread, so one that has loaded much is replaced. */
import { statSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'

/** Each takes some 50 kB besides its code and data. */
const MOST_MODULES = 100
/** Of the heap, for their code and what they make as they load: the rest is for chunks. */
const MOST_SHARE = 1 / 4

/** How many bytes of the heap each takes. Buffers are outside of the heap, so they do not use it up. */
const loaded = new Map<string, number>()

/** Imports a module of the user's; one that this thread has imported before takes no more memory. */
export async function importCounted(url: URL): Promise<object> {
  if (loaded.has(url.href)) return await import(url.href)
  loaded.set(url.href, 0)
  const before = heapUsed()
  try {
    return await import(url.href)
  } finally {
    // At least its source, where garbage was collected meanwhile.
    loaded.set(url.href, Math.max(heapUsed() - before, statSync(url, { throwIfNoEntry: false })?.size ?? 0))
  }
}

/** Whether another thread should take the next call. */
export function hasLoadedEnough(): boolean {
  return areEnough([...loaded.values()], getHeapStatistics().heap_size_limit)
}

/**
 * Whether modules that take so many bytes each are enough for one thread. The largest does not count: where it takes turns with a small one, it
 * would be loaded anew each time.
 */
export function areEnough(sizes: readonly number[], heapLimit: number): boolean {
  const all = sizes.reduce((sum, size) => sum + size, 0)
  return sizes.length >= MOST_MODULES || all - Math.max(0, ...sizes) > heapLimit * MOST_SHARE
}

function heapUsed(): number {
  return getHeapStatistics().used_heap_size
}
