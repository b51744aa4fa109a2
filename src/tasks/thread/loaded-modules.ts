/** Counts the modules that this thread has loaded. A thread cannot unload modules, so a thread that has loaded many modules is replaced. */
import { statSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'

/** The limit of modules in a thread. Each module takes some 50 kB in addition to its code and data. */
const MOST_MODULES = 100
/** The share of the heap that modules may take, so that the rest of the heap is free for chunks. */
const MOST_SHARE = 1 / 4

/** The heap size of each loaded module, in bytes. Buffers are outside of the heap. */
const loaded = new Map<string, number>()

/** Imports a user's module. A second import of the same module takes no more memory, so it is not counted. */
export async function importCounted(url: URL): Promise<object> {
  if (loaded.has(url.href)) return await import(url.href)
  loaded.set(url.href, 0)
  const before = heapUsed()
  try {
    return await import(url.href)
  } finally {
    // The heap may have shrunk by a garbage collection during the import, so the size counts as at least the size of the source.
    loaded.set(url.href, Math.max(heapUsed() - before, statSync(url, { throwIfNoEntry: false })?.size ?? 0))
  }
}

/** Whether this thread has loaded so many modules that another thread should take the next call. */
export function hasLoadedEnough(): boolean {
  return areEnough([...loaded.values()], getHeapStatistics().heap_size_limit)
}

/**
 * Whether modules of these sizes are enough for one thread. The largest module does not count: otherwise, if a large and a small module ran
 * alternately, each call would need a new thread.
 */
export function areEnough(sizes: readonly number[], heapLimit: number): boolean {
  const all = sizes.reduce((sum, size) => sum + size, 0)
  return sizes.length >= MOST_MODULES || all - Math.max(0, ...sizes) > heapLimit * MOST_SHARE
}

function heapUsed(): number {
  return getHeapStatistics().used_heap_size
}
