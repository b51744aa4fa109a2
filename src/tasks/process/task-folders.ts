import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeTemporaryFolder, removeStaleFolders, type TemporaryFolder } from '../../persistence/temporary-folder.ts'

/** The folders of one process. */
export interface TaskFolder {
  /** A folder that is empty at first and to which the process may write. */
  own: string
  /** The folder of the code, which the process may read. */
  code: string
}

/** The folders of the processes of tasks, in one temporary folder of this peer. */
export class TaskFolders {
  readonly #parent: string
  #root: Promise<TemporaryFolder> | undefined
  #count = 0

  /** @param parent - the parent of this peer's temporary folder. Default: the system's temporary folder */
  constructor(parent = tmpdir()) {
    this.#parent = resolve(parent)
  }

  /** Makes empty folders that only the user can read. */
  async make(): Promise<TaskFolder> {
    this.#root ??= this.#open()
    const { path: root } = await this.#root
    const number = ++this.#count
    // No name may be a prefix of the other name, because the permission model compares prefixes.
    const [own, code] = [join(root, `own-${number}`), join(root, `code-${number}`)] as const
    for (const folder of [own, code]) await mkdir(folder, { mode: 0o700 })
    return { own, code }
  }

  async remove({ own, code }: TaskFolder): Promise<void> {
    await remove(own)
    await remove(code)
  }

  async stop(): Promise<void> {
    const root = await this.#root?.catch(() => undefined)
    if (root === undefined) return
    await remove(root.path)
    await root.release()
  }

  async #open(): Promise<TemporaryFolder> {
    await removeStaleFolders(this.#parent)
    // The permission model checks real paths.
    return await makeTemporaryFolder(await realpath(this.#parent), 'tasks-')
  }
}

/** Removes a folder. If the removal fails, the next peer that starts removes the folder. */
async function remove(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // A task may have removed the permissions of its folders, or nested its folders so deep that their paths are too long.
    const child = spawn('/bin/sh', ['-c', 'chmod -R u+rwx -- "$1"; rm -rf -- "$1"', 'sh', folder], { stdio: 'ignore' })
    await once(child, 'close').catch(() => {})
  }
}
