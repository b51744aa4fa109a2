/**
 * Temporary folders of this process. A killed process cannot remove its folders, so the next process removes them. A
 * lock in each folder shows whether the owner lives: the kernel ends the lock with the owner, and other containers with
 * the same file system can check the lock. A process id is not enough, because process ids start at 1 in each
 * container.
 */
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync, rmSync } from 'node:fs'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type FolderLock, lockFolder, ownerOf } from './folder-lock.ts'

const NAME = /^p2p-worker-code-([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{8})-(\d+)-/

/**
 * Returns a short hash of a value from the kernel. Systems other than Linux lack the value, so the host name is used
 * there.
 */
function short(read: () => string): string {
  let text: string
  try {
    text = read()
  } catch {
    text = hostname()
  }
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/** The id of the machine's present boot, the same for all its containers. */
const BOOT = short(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))
const HOST = short(hostname)
/** The namespace of process ids, for checks of process ids in folder names. */
const PID_SPACE = short(() => readlinkSync('/proc/self/ns/pid'))

/** The prefix of this process's folders, for mkdtemp. */
export const FOLDER_PREFIX = `p2p-worker-code-${BOOT}-${HOST}-${PID_SPACE}-${process.pid}-`

export interface TemporaryFolder {
  path: string
  /** Releases the folder's lock; call this after removing the folder. */
  release(): Promise<void>
}

/** Creates a private folder (mode 0700), which other processes do not remove while this process lives. */
export async function makeTemporaryFolder(parent: string, kind = ''): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, `${FOLDER_PREFIX}${kind}`))
  if (folders.size === 0) process.on('exit', removeFolders)
  folders.set(path, undefined)
  // A file system without sockets allows no lock. Then other processes check the process id in the name of the folder.
  const lock = await lockFolder(path).catch(() => undefined)
  folders.set(path, lock)
  return {
    path,
    async release() {
      folders.delete(path)
      if (folders.size === 0) process.off('exit', removeFolders)
      await lock?.release()
    }
  }
}

/** The folders and their locks. One exit listener removes the folders that still exist. */
const folders = new Map<string, FolderLock | undefined>()

function removeFolders(): void {
  for (const folder of folders.keys()) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // The next process removes the folders that this process cannot remove.
    }
  }
}

/**
 * Removes the folders of this user's dead processes. Failures are ignored: another process may remove the same folders.
 */
export async function removeStaleFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const [, boot, host, space, pid] = NAME.exec(name) ?? []
    // The folder of another machine that shares the file system cannot be checked, because that machine's sockets do
    // not answer here.
    if (boot !== BOOT && host !== HOST) continue
    const folder = join(parent, name)
    const status = await lstat(folder).catch(() => undefined)
    if (!status?.isDirectory() || status.uid !== process.getuid?.()) continue
    const owner = await ownerOf(folder).catch(() => 'living')
    // 'none': the folder has no lock yet, or its file system allows no lock.
    const isGone = owner === 'none' ? space === PID_SPACE && !isRunning(Number(pid)) : owner === 'dead'
    if (isGone) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
