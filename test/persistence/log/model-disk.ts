/** A disk in memory that loses what was not synced when the power is cut, tears the last write, damages bytes, and fails. */
import type { LogDisk } from '../../../src/persistence/log/disk.ts'

interface File {
  bytes: Uint8Array
  /** The bytes that last. */
  synced: Uint8Array
  isNamed: boolean
}

export class ModelDisk implements LogDisk {
  readonly files = new Map<string, File>()
  /** The files that were removed, as long as their names may come back. */
  readonly #removed = new Map<string, File>()
  /** The calls that change something until one of them fails. Undefined: none fails. */
  failsAfter: number | undefined
  /** The most bytes that one append may have. Undefined: any number. */
  room: number | undefined
  /** The syncs of files and folders. */
  syncs = 0

  list(): string[] {
    return [...this.files.keys()]
  }

  size(name: string): number {
    return this.#file(name).bytes.byteLength
  }

  read(name: string, offset: number, bytes: number): Uint8Array {
    return this.#file(name).bytes.slice(offset, offset + bytes)
  }

  create(name: string): void {
    this.#mayFail()
    if (this.files.has(name)) throw new Error(`${name} is there`)
    this.files.set(name, { bytes: new Uint8Array(), synced: new Uint8Array(), isNamed: false })
  }

  append(name: string, parts: readonly Uint8Array[]): void {
    const file = this.#file(name)
    const more = Buffer.concat(parts)
    // A full disk takes a part of what is written.
    if (this.failsAfter === 0) file.bytes = Buffer.concat([file.bytes, more.subarray(0, more.byteLength / 2)])
    this.#mayFail()
    if (more.byteLength > (this.room ?? more.byteLength)) throw noSpace()
    file.bytes = Buffer.concat([file.bytes, more])
  }

  truncate(name: string, size: number): void {
    this.#mayFail()
    const file = this.#file(name)
    file.bytes = file.bytes.slice(0, size)
  }

  overwrite(name: string, bytes: Uint8Array): void {
    this.#mayFail()
    if (!this.files.has(name)) this.create(name)
    const file = this.#file(name)
    file.bytes = Buffer.concat([bytes, file.bytes.subarray(bytes.byteLength)])
  }

  remove(name: string): void {
    this.#mayFail()
    const file = this.files.get(name)
    if (file !== undefined) this.#removed.set(name, file)
    this.files.delete(name)
  }

  sync(name: string): void {
    this.#mayFail()
    const file = this.#file(name)
    file.synced = file.bytes
    this.syncs += 1
  }

  syncFolder(): void {
    this.#mayFail()
    for (const file of this.files.values()) file.isNamed = true
    this.#removed.clear()
    this.syncs += 1
  }

  close(): void {}

  /** Returns a disk with the same files, of which each is as synced as here. */
  copy(): ModelDisk {
    const copy = new ModelDisk()
    for (const [name, file] of this.files) copy.files.set(name, { ...file })
    for (const [name, file] of this.#removed) copy.#removed.set(name, { ...file })
    return copy
  }

  /** Cuts the power. `draw` returns a number from 0 to its argument, less one. */
  cutPower(draw: (below: number) => number): void {
    this.failsAfter = undefined
    for (const [name, file] of this.#removed) if (draw(2) === 0) this.files.set(name, file)
    this.#removed.clear()
    for (const [name, file] of this.files) {
      if (!file.isNamed && draw(2) === 0) {
        this.files.delete(name)
        continue
      }
      const { synced, bytes } = file
      const isAppended = Buffer.compare(bytes.subarray(0, synced.byteLength), synced) === 0
      if (isAppended) {
        file.bytes = Uint8Array.from(
          bytes.subarray(0, synced.byteLength + draw(bytes.byteLength - synced.byteLength + 1))
        )
        // A block that was not synced may hold anything.
        if (draw(2) === 0) for (let i = synced.byteLength; i < file.bytes.byteLength; i++) file.bytes[i] = draw(256)
      } else if (draw(2) === 0) file.bytes = synced
      Object.assign(file, { synced: file.bytes, isNamed: true })
    }
  }

  flip(name: string, offset: number, mask: number): void {
    const file = this.#file(name)
    file.bytes = Uint8Array.from(file.bytes)
    file.bytes[offset]! ^= mask
  }

  #file(name: string): File {
    const file = this.files.get(name)
    if (file === undefined) throw new Error(`there is no ${name}`)
    return file
  }

  #mayFail(): void {
    if (this.failsAfter === undefined) return
    if (this.failsAfter === 0) throw noSpace()
    this.failsAfter -= 1
  }
}

function noSpace(): Error {
  return Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
}
