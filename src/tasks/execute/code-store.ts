import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InvalidMessageError, MessageTooLargeError, P2pWorkerError, StoppedError } from '../../common/errors.ts'
import { DEFAULT_LIMITS } from '../../common/limits.ts'
import { makeTemporaryFolder, removeStaleFolders, type TemporaryFolder } from '../../persistence/temporary-folder.ts'

export interface CodeStoreOptions {
  /** The size limit in bytes; the least recently used bundle is evicted first. Default 256 MiB. */
  maxBytes?: number
  /** The parent of the store's folder. Default: the system's temporary folder. */
  parent?: string
}

/** Protects a bundle from eviction until `release` is called. */
export interface CodeLease {
  /** The file to import. */
  file: string
  release(): void
}

interface Entry {
  bytes: number
  leases: number
}

/** The SHA-256 of a bundle, in hex. The SHA-256 identifies the bundle on every peer. */
export function codeHash(code: Uint8Array): string {
  return createHash('sha256').update(code).digest('hex')
}

/**
 * Keeps bundles by their SHA-256 in a private folder (mode 0700) while this process runs. The first bundle creates the folder.
 * {@link stop} or the exit of the process removes the folder. If the process is killed, the next process removes the folder.
 */
export class CodeStore {
  readonly #maxBytes: number
  readonly #parent: string
  // A Map iterates in insertion order, and each use inserts the entry again. So the first entry is the least recently used entry.
  readonly #entries = new Map<string, Entry>()
  readonly #writing = new Map<string, Promise<void>>()
  #bytes = 0
  #folder: Promise<TemporaryFolder> | undefined
  #folderPath: string | undefined
  #stopped = false

  constructor({ maxBytes = DEFAULT_LIMITS.codeBytes, parent = tmpdir() }: CodeStoreOptions = {}) {
    this.#maxBytes = maxBytes
    this.#parent = parent
  }

  /** The total size of all bundles, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  has(sha256: string): boolean {
    return this.#entries.has(sha256)
  }

  /**
   * Keeps a bundle.
   *
   * @throws InvalidMessageError if the hash does not match; MessageTooLargeError if the store has no room for the bundle
   */
  async put(sha256: string, code: Uint8Array): Promise<void> {
    this.#checkRunning()
    if (this.has(sha256)) return
    const actual = codeHash(code)
    if (actual !== sha256) {
      throw new InvalidMessageError(`the code of a task has the SHA-256 ${actual}, not ${sha256}: it is not used`)
    }
    let writing = this.#writing.get(sha256)
    if (writing === undefined) {
      writing = this.#write(sha256, code).finally(() => this.#writing.delete(sha256))
      this.#writing.set(sha256, writing)
    }
    await writing
  }

  /** Reads the code of a bundle; undefined if the store lacks the bundle. */
  async read(sha256: string): Promise<Uint8Array | undefined> {
    if (!this.has(sha256)) return undefined
    const lease = this.lease(sha256)
    try {
      return await readFile(lease.file)
    } finally {
      lease.release()
    }
  }

  /**
   * Protects a bundle from eviction while it is in use.
   *
   * @throws P2pWorkerError if the store lacks the bundle
   */
  lease(sha256: string): CodeLease {
    this.#checkRunning()
    const entry = this.#entries.get(sha256)
    if (entry === undefined || this.#folderPath === undefined) {
      throw new P2pWorkerError(`the code of task ${sha256} is not in this peer's store: put it there first`)
    }
    this.#entries.delete(sha256)
    this.#entries.set(sha256, entry)
    entry.leases++
    let released = false
    return {
      file: join(this.#folderPath, `${sha256}.mjs`),
      release: () => {
        if (released) return
        released = true
        entry.leases--
      }
    }
  }

  /** Removes the folder. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.allSettled(this.#writing.values())
    const folder = await this.#folder?.catch(() => undefined)
    if (folder !== undefined) {
      await rm(folder.path, { recursive: true, force: true })
      await folder.release()
    }
    this.#entries.clear()
    this.#bytes = 0
  }

  async #write(sha256: string, code: Uint8Array): Promise<void> {
    // This call reserves room before the first `await`, so that concurrent calls of `put` cannot exceed the limit.
    const evicted = this.#makeRoom(code.byteLength)
    this.#bytes += code.byteLength
    try {
      const { path: folder } = await this.#openFolder()
      for (const each of evicted) await rm(join(folder, `${each}.mjs`), { force: true })
      const file = join(folder, `${sha256}.mjs`)
      await writeFile(`${file}.part`, code, { mode: 0o600 })
      await rename(`${file}.part`, file)
    } catch (error) {
      this.#bytes -= code.byteLength
      throw error
    }
    this.#entries.set(sha256, { bytes: code.byteLength, leases: 0 })
  }

  #makeRoom(bytes: number): string[] {
    const evicted: string[] = []
    let free = this.#maxBytes - this.#bytes
    for (const [sha256, entry] of this.#entries) {
      if (free >= bytes) break
      if (entry.leases > 0) continue
      evicted.push(sha256)
      free += entry.bytes
    }
    if (free < bytes) {
      throw new MessageTooLargeError(
        `the code of a task has ${bytes} bytes, and this peer's store has room for ${free} of ${this.#maxBytes}`
      )
    }
    for (const sha256 of evicted) {
      this.#bytes -= this.#entries.get(sha256)?.bytes ?? 0
      this.#entries.delete(sha256)
    }
    return evicted
  }

  #openFolder(): Promise<TemporaryFolder> {
    this.#folder ??= (async () => {
      await removeStaleFolders(this.#parent)
      const folder = await makeTemporaryFolder(this.#parent)
      this.#folderPath = folder.path
      return folder
    })()
    return this.#folder
  }

  #checkRunning(): void {
    if (this.#stopped) throw new StoppedError('the code store was stopped')
  }
}
