import { chmod, mkdir, mkdtemp, opendir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FOLDER_PREFIX, keepAtExit, removeAtExit, removeFoldersOfTheDead } from '../stale-folders.ts'

/** The folders of processes of isolated tasks, one each, in one of this peer's own. */
export class TaskFolders {
  readonly #parent: string
  #root: Promise<string> | undefined
  #count = 0

  /** @param parent - where its own is made. Default: the system's folder for temporary files */
  constructor(parent = tmpdir()) {
    this.#parent = parent
  }

  /** An empty folder for the user alone. */
  async make(): Promise<string> {
    this.#root ??= this.#open()
    const folder = join(await this.#root, String(++this.#count))
    await mkdir(folder, { mode: 0o700 })
    return folder
  }

  async remove(folder: string): Promise<void> {
    try {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // A task may have closed a folder in it to its own user.
      await openUp(folder)
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    }
  }

  async stop(): Promise<void> {
    const root = await this.#root?.catch(() => undefined)
    if (root === undefined) return
    await this.remove(root)
    keepAtExit(root)
  }

  async #open(): Promise<string> {
    await removeFoldersOfTheDead(this.#parent)
    const root = await mkdtemp(join(this.#parent, `${FOLDER_PREFIX}tasks-`))
    removeAtExit(root)
    return root
  }
}

async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for await (const entry of await opendir(folder)) if (entry.isDirectory()) await openUp(join(folder, entry.name))
}
