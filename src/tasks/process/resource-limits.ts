/** Measures from outside which resources a process of isolated tasks uses. */
import { lstat, opendir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Limits } from '../../common/limits.ts'

/** The limits of one process. */
export type TaskLimits = Pick<Limits, 'taskMemoryBytes' | 'taskDiskBytes' | 'taskFiles'>

/** The size (bytes) of a block: `stat` returns the number of blocks of a file. */
const BLOCK_BYTES = 512
const KIB = 1024

/**
 * Describes the limit that a process exceeds; undefined if the process exceeds no limit. The kernel enforces some limits itself
 * ({@link launch}), but this function also counts resources that `ulimit` ignores.
 */
export async function exceededLimit(pid: number, folder: string, limits: TaskLimits): Promise<string | undefined> {
  const memory = await memoryOf(pid)
  if (memory > limits.taskMemoryBytes) return `it used ${memory} bytes of memory${over('taskMemoryBytes', limits)}`
  const { bytes, problem } = await diskOf(folder, limits)
  if (problem !== undefined) return problem
  const disk = bytes + (await unlinkedOf(pid))
  if (disk > limits.taskDiskBytes) return `it used ${disk} bytes of disk${over('taskDiskBytes', limits)}`
  return undefined
}

function over(name: keyof TaskLimits, limits: TaskLimits): string {
  return ` (it may use ${limits[name]}: --limit ${name})`
}

/** The limit of files and folders in the folder of a process, because counting more files would keep the peer busy. */
const MOST_FILES = 5_000
/** The limit of nested folders, because the paths of deeper folders become too long. */
const MOST_DEPTH = 50

/** The private memory of a process, in bytes; 0 if the process has ended or the system has no `/proc`. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const of = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
  return (of('RssAnon') + of('RssShmem')) * KIB
}

/** Returns the size of a folder, or the reason why the folder cannot be measured. The count stops above the limit. */
async function diskOf(folder: string, { taskDiskBytes }: TaskLimits): Promise<{ bytes: number; problem?: string }> {
  let [bytes, files] = [0, 0]
  const folders = [{ path: folder, depth: 0 }]
  try {
    for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
      if (at.depth > MOST_DEPTH) return { bytes, problem: `it had folders in more than ${MOST_DEPTH} folders` }
      // A file may vanish during the count. If another entry is unreadable, the task has removed the permissions of the entry.
      const entries = await unlessGone(opendir(at.path))
      for await (const { name } of entries ?? []) {
        if (++files > MOST_FILES) return { bytes, problem: `it had more than ${MOST_FILES} files in its folder` }
        if (bytes > taskDiskBytes) return { bytes }
        const path = join(at.path, name)
        const found = await unlessGone(lstat(path))
        bytes += (found?.blocks ?? 0) * BLOCK_BYTES
        if (found?.isDirectory()) folders.push({ path, depth: at.depth + 1 })
      }
    }
  } catch (error) {
    return { bytes, problem: `its folder cannot be looked at: ${(error as Error).message}` }
  }
  return { bytes }
}

async function unlessGone<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The size (bytes) of files that a process has unlinked but still has open. */
async function unlinkedOf(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`
  let bytes = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found?.isFile() && found.nlink === 0) bytes += found.blocks * BLOCK_BYTES
  }
  return bytes
}
