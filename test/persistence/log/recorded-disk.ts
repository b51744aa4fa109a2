/** A folder of the file system that records what is written and synced, so that a test can cut the power at each moment of it. */
import { FolderDisk, type LogDisk } from '../../../src/persistence/log/disk.ts'

/** A call that changes something. */
type Step = (disk: LogDisk) => void

export class RecordedDisk implements LogDisk {
  readonly #disk: FolderDisk
  readonly steps: Step[] = []

  constructor(folder: string) {
    this.#disk = new FolderDisk(folder)
  }

  list(): string[] {
    return this.#disk.list()
  }

  size(name: string): number {
    return this.#disk.size(name)
  }

  read(name: string, offset: number, bytes: number): Uint8Array {
    return this.#disk.read(name, offset, bytes)
  }

  create(name: string): void {
    this.#do(disk => disk.create(name))
  }

  append(name: string, parts: readonly Uint8Array[]): void {
    const bytes = Buffer.concat(parts)
    this.#do(disk => disk.append(name, [bytes]))
  }

  truncate(name: string, size: number): void {
    this.#do(disk => disk.truncate(name, size))
  }

  overwrite(name: string, bytes: Uint8Array): void {
    this.#do(disk => disk.overwrite(name, bytes))
  }

  remove(name: string): void {
    this.#do(disk => disk.remove(name))
  }

  sync(name: string): void {
    this.#do(disk => disk.sync(name))
  }

  syncFolder(): void {
    this.#do(disk => disk.syncFolder())
  }

  close(): void {
    this.#disk.close()
  }

  #do(step: Step): void {
    this.steps.push(step)
    step(this.#disk)
  }
}
