/**
 * A process that was killed cannot remove its folder, so the next one does. The folder's name says whose it is: the pid,
 * and the pid namespace in which that number means something (containers may share one /tmp).
 */
import { createHash } from 'node:crypto'
import { readlinkSync, rmSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const NAME = /^p2p-worker-code-([0-9a-f]{8})-(\d+)-/

function pidSpace(): string {
  let namespace = ''
  try {
    namespace = readlinkSync('/proc/self/ns/pid')
  } catch {
    // Only Linux has pid namespaces; elsewhere the host's name is all there is.
  }
  return createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 8)
}

const OWN_SPACE = pidSpace()

/** The prefix of this process's folders, for mkdtemp. */
export const FOLDER_PREFIX = `p2p-worker-code-${OWN_SPACE}-${process.pid}-`

const ownFolders = new Set<string>()

function removeOwnFolders(): void {
  for (const folder of ownFolders) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // What a task has closed to its own user is left to the next process.
    }
  }
}

/** Removes a folder when this process exits without having stopped its owner. One listener serves all folders. */
export function removeAtExit(folder: string): void {
  if (ownFolders.size === 0) process.on('exit', removeOwnFolders)
  ownFolders.add(folder)
}

/** Takes {@link removeAtExit} back. */
export function keepAtExit(folder: string): void {
  ownFolders.delete(folder)
  if (ownFolders.size === 0) process.off('exit', removeOwnFolders)
}

/** Removes the folders of processes of this user that no longer run. Failing to is no error: another may be at it too. */
export async function removeFoldersOfTheDead(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const [, space, pid] = NAME.exec(name) ?? []
    if (space !== OWN_SPACE || pid === undefined || isRunning(Number(pid))) continue
    const folder = join(parent, name)
    const status = await lstat(folder).catch(() => undefined)
    if (!status?.isDirectory() || status.uid !== process.getuid?.()) continue
    await rm(folder, { recursive: true, force: true }).catch(() => {})
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
