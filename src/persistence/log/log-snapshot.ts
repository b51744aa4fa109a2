/** A consistent view of the files of a log, while a process may append to them and compact them. */

import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { LogDisk } from './disk.ts'

const SEGMENT = /\.log$/
/** How often the files are opened until none of them was added or removed meanwhile. */
const TRIES = 100

interface OpenFile {
  file: number
  size: number
}

/**
 * The files of a log as they were at one moment: later commits are behind the sizes that this snapshot knows, and removed files stay open. Nothing is
 * changed: the calls that would do so have no effect.
 */
export class LogSnapshot implements LogDisk {
  readonly #segments: ReadonlyMap<string, OpenFile>
  readonly #others: ReadonlyMap<string, Uint8Array>

  private constructor(segments: ReadonlyMap<string, OpenFile>, others: ReadonlyMap<string, Uint8Array>) {
    this.#segments = segments
    this.#others = others
  }

  /**
   * Opens all files in one go, because a busy log soon removes them.
   *
   * @throws the error of the disk
   */
  static open(folder: string): LogSnapshot {
    for (let tries = 1; ; tries++) {
      const names = readdirSync(folder).sort()
      const opened = new Map<string, number>()
      try {
        // These are about commits that the segments have already.
        const others = names.filter(name => !SEGMENT.test(name))
        const read = new Map(others.map(name => [name, readFileSync(join(folder, name))]))
        for (const name of names) if (SEGMENT.test(name)) opened.set(name, openSync(join(folder, name), 'r'))
        // What leaves a segment that is removed is in a new one.
        if (String(readdirSync(folder).sort()) === String(names)) {
          const segments = [...opened].map(([name, file]) => [name, { file, size: fstatSync(file).size }] as const)
          return new LogSnapshot(new Map(segments), read)
        }
        if (tries === TRIES) throw new Error(`the files in ${folder} change all the time`)
      } catch (error) {
        closeAll(opened.values())
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || names.length === 0 || tries === TRIES) throw error
        continue
      }
      closeAll(opened.values())
    }
  }

  list(): string[] {
    return [...this.#segments.keys(), ...this.#others.keys()]
  }

  /** The names of the segments. */
  segments(): string[] {
    return [...this.#segments.keys()]
  }

  size(name: string): number {
    return this.#segments.get(name)?.size ?? this.#others.get(name)?.byteLength ?? 0
  }

  read(name: string, offset: number, bytes: number): Uint8Array {
    const other = this.#others.get(name)
    if (other !== undefined) return other.subarray(offset, offset + bytes)
    const { file, size } = this.#segments.get(name)!
    const found = new Uint8Array(Math.max(0, Math.min(bytes, size - offset)))
    let have = 0
    while (have < found.byteLength) {
      const more = readSync(file, found, have, found.byteLength - have, offset + have)
      if (more === 0) break
      have += more
    }
    return found.subarray(0, have)
  }

  create(): void {}
  append(): void {}
  truncate(): void {}
  overwrite(): void {}
  remove(): void {}
  sync(): void {}
  syncFolder(): void {}

  close(): void {
    closeAll([...this.#segments.values()].map(({ file }) => file))
  }
}

function closeAll(files: Iterable<number>): void {
  for (const file of files) closeSync(file)
}
