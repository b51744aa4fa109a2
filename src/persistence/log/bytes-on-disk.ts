import type { LogDisk } from './disk.ts'
import type { SegmentBytes } from './frames.ts'

/** The bytes that are read at once. */
const WINDOW = 64 * 1024

/** The bytes of a file, read as they are needed: long values are skipped, so a large log opens without being read. */
export class BytesOnDisk implements SegmentBytes {
  readonly byteLength: number
  readonly #disk: LogDisk
  readonly #name: string
  #window: Uint8Array = new Uint8Array()
  /** Where the window begins in the file. */
  #from = 0

  constructor(disk: LogDisk, name: string) {
    this.#disk = disk
    this.#name = name
    this.byteLength = disk.size(name)
  }

  subarray(from: number, to: number): Uint8Array {
    const end = Math.min(to, this.byteLength)
    if (from < this.#from || end > this.#from + this.#window.byteLength) {
      this.#from = from
      this.#window = this.#disk.read(this.#name, from, Math.min(Math.max(WINDOW, end - from), this.byteLength - from))
    }
    return this.#window.subarray(from - this.#from, end - this.#from)
  }
}
