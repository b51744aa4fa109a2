import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeTemporaryFolder, removeStaleFolders, type TemporaryFolder } from '../../persistence/temporary-folder.ts'

/** Of one process. */
export interface TaskFolder {
  /** Its own, empty at first: for it to write to. */
  own: string
  /** Where its code is put: for it to read. */
  code: string
}

/** The folders of processes of isolated tasks, in one of this peer's own. */
export class TaskFolders {
  readonly #parent: string
  #root: Promise<TemporaryFolder> | undefined
  #count = 0

  /** @param parent - where its own is made. Default: the system's folder for temporary files */
  constructor(parent = tmpdir()) {
    this.#parent = resolve(parent)
  }

  /** Empty folders for the user alone. */
  async make(): Promise<TaskFolder> {
    this.#root ??= this.#open()
    const { path: root } = await this.#root
    const number = ++this.#count
    // Neither is how the other begins: the permission model would take one for part of the other.
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
    // Where it really is: the permission model looks at that.
    return await makeTemporaryFolder(await realpath(this.#parent), 'tasks-')
  }
}

/** Whatever a task has left there. What cannot be removed now is by the next peer that starts. */
async function remove(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // It may have closed folders to its own user, or put so many into one another that no path leads there.
    const child = spawn('/bin/sh', ['-c', 'chmod -R u+rwx -- "$1"; rm -rf -- "$1"', 'sh', folder], { stdio: 'ignore' })
    await once(child, 'close').catch(() => {})
  }
}
