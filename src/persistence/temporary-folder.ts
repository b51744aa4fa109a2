/**
 * Folders of this process among the system's temporary files. A process that was killed cannot remove its own, so the next one does. Whose a
 * folder is, and whether that process lives, its lock says: the kernel ends the lock with the process, and other containers that have the same
 * folder can ask it. A process id says neither: each container begins with 1.
 */
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync, rmSync } from 'node:fs'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type FolderLock, lockFolder, ownerOf } from './folder-lock.ts'

const NAME = /^p2p-worker-code-([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{8})-(\d+)-/

/** What the kernel tells, in a few characters; elsewhere than on Linux the host's name stands for it. */
function short(read: () => string): string {
  let text: string
  try {
    text = read()
  } catch {
    text = hostname()
  }
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/** All containers of a machine have the same until it is started again. */
const BOOT = short(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))
const HOST = short(hostname)
/** In which a process id means something. */
const PID_SPACE = short(() => readlinkSync('/proc/self/ns/pid'))

/** The prefix of this process's folders, for mkdtemp. */
export const FOLDER_PREFIX = `p2p-worker-code-${BOOT}-${HOST}-${PID_SPACE}-${process.pid}-`

export interface TemporaryFolder {
  path: string
  /** For whoever has removed it. */
  release(): Promise<void>
}

/** A folder for the user alone (mode 0700), which others leave alone for as long as this process lives. */
export async function makeTemporaryFolder(parent: string, kind = ''): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, `${FOLDER_PREFIX}${kind}`))
  if (ownFolders.size === 0) process.on('exit', removeOwnFolders)
  ownFolders.set(path, undefined)
  // Where the file system knows no sockets, the process id has to do.
  const lock = await lockFolder(path).catch(() => undefined)
  ownFolders.set(path, lock)
  return {
    path,
    async release() {
      ownFolders.delete(path)
      if (ownFolders.size === 0) process.off('exit', removeOwnFolders)
      await lock?.release()
    }
  }
}

/** Each with its lock; removed when this process exits without having done so. One listener serves all. */
const ownFolders = new Map<string, FolderLock | undefined>()

function removeOwnFolders(): void {
  for (const folder of ownFolders.keys()) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // What a task has closed to its own user is left to the next process.
    }
  }
}

/** Removes the folders of processes of this user that no longer run. Failing to is no error: another may be at it too. */
export async function removeStaleFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const [, boot, host, space, pid] = NAME.exec(name) ?? []
    // Of another machine that has the same files nothing can be said: no socket answers there.
    if (boot !== BOOT && host !== HOST) continue
    const folder = join(parent, name)
    const status = await lstat(folder).catch(() => undefined)
    if (!status?.isDirectory() || status.uid !== process.getuid?.()) continue
    const owner = await ownerOf(folder).catch(() => 'living')
    // It has no lock yet, or cannot have one.
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
