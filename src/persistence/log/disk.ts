/** The files of a log. All calls block: they are made on a thread of their own. */
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
  writevSync
} from 'node:fs'
import { join } from 'node:path'

/** A folder of files that grow at their ends. */
export interface LogDisk {
  /** Returns the names of all files. */
  list(): string[]
  size(name: string): number
  /**
   * Reads `bytes` bytes at `offset`; fewer at the end of the file.
   *
   * @param into - takes the bytes: fresh memory costs more than reading. Default: the bytes have memory of their own.
   */
  read(name: string, offset: number, bytes: number, into?: Uint8Array): Uint8Array
  /** Creates an empty file. The file lasts after a `syncFolder`. */
  create(name: string): void
  append(name: string, parts: readonly Uint8Array[]): void
  truncate(name: string, size: number): void
  /** Replaces the bytes at the beginning of a file, and creates the file if there is none. */
  overwrite(name: string, bytes: Uint8Array): void
  remove(name: string): void
  /** Returns when the content of a file lasts, also after a power cut. */
  sync(name: string): void
  /** Returns when the names of the files last. */
  syncFolder(): void
  /** Closes all files. */
  close(): void
}

/** The most parts in one call of `writev`: the limit of Linux. */
const MOST_PARTS = 1_024

/** A folder of the file system. */
export class FolderDisk implements LogDisk {
  readonly #folder: string
  readonly #onSync: (ms: number) => void
  readonly #files = new Map<string, number>()

  /** @param onSync - called with what each sync of a file took, in ms */
  constructor(folder: string, onSync: (ms: number) => void = () => {}) {
    this.#folder = folder
    this.#onSync = onSync
  }

  list(): string[] {
    return readdirSync(this.#folder)
  }

  size(name: string): number {
    return fstatSync(this.#open(name)).size
  }

  read(name: string, offset: number, bytes: number, into = new Uint8Array(bytes)): Uint8Array {
    const file = this.#open(name)
    const found = into.subarray(0, bytes)
    let have = 0
    while (have < bytes) {
      const more = readSync(file, found, have, bytes - have, offset + have)
      if (more === 0) break
      have += more
    }
    return found.subarray(0, have)
  }

  create(name: string): void {
    this.#open(name, constants.O_EXCL)
  }

  append(name: string, parts: readonly Uint8Array[]): void {
    const file = this.#open(name)
    let end = fstatSync(file).size
    for (let i = 0; i < parts.length; i += MOST_PARTS) {
      let some = parts.slice(i, i + MOST_PARTS).filter(part => part.byteLength > 0)
      while (some.length > 0) {
        const written = writevSync(file, some, end)
        some = rest(some, written)
        end += written
      }
    }
  }

  truncate(name: string, size: number): void {
    ftruncateSync(this.#open(name), size)
  }

  overwrite(name: string, bytes: Uint8Array): void {
    writeSync(this.#open(name), bytes, 0, bytes.byteLength, 0)
  }

  remove(name: string): void {
    this.#close(name)
    rmSync(join(this.#folder, name), { force: true })
  }

  sync(name: string): void {
    const began = performance.now()
    fdatasyncSync(this.#open(name))
    this.#onSync(performance.now() - began)
  }

  syncFolder(): void {
    // Windows cannot sync a folder.
    if (process.platform === 'win32') return
    const folder = openSync(this.#folder, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  }

  close(): void {
    for (const name of [...this.#files.keys()]) this.#close(name)
  }

  #open(name: string, flags = 0): number {
    const how = constants.O_RDWR | constants.O_CREAT | flags
    const file = this.#files.get(name) ?? openSync(join(this.#folder, name), how, 0o600)
    this.#files.set(name, file)
    return file
  }

  #close(name: string): void {
    const file = this.#files.get(name)
    this.#files.delete(name)
    if (file !== undefined) closeSync(file)
  }
}

/** Returns what is left of `parts` after the first `written` bytes. */
function rest(parts: readonly Uint8Array[], written: number): Uint8Array[] {
  const left: Uint8Array[] = []
  let skip = written
  for (const part of parts) {
    if (skip < part.byteLength) left.push(part.subarray(skip))
    skip = Math.max(0, skip - part.byteLength)
  }
  return left
}
