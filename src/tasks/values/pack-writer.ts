import { type OwnPack, ownBytes } from './pack.ts'
import { serialize } from './payload.ts'
import { simpleBytes, writeSimple } from './simple-values.ts'

const FIRST_BYTES = 4 * 1024
const FIRST_VALUES = 64
/** The largest buffer (bytes) that is used again. */
const MOST_KEPT = 4 * 2 ** 20

/** Encodes values one after the other into one pack. */
export class PackWriter {
  #bytes = new Uint8Array(FIRST_BYTES)
  #lengths = new Uint32Array(FIRST_VALUES)
  #count = 0
  #position = 0
  /** The first value, while the pack has no other value. The first value may be large, so it is not copied. */
  #only: Uint8Array<ArrayBuffer> | undefined

  /** The number of values. */
  get count(): number {
    return this.#count
  }

  get byteLength(): number {
    return this.#position + (this.#only?.byteLength ?? 0)
  }

  /**
   * Adds a value; `label` names the value in errors. If the call throws, nothing is added.
   *
   * @returns the number of bytes that the value takes
   * @throws NotCloneableError
   */
  add(value: unknown, label: string): number {
    const most = simpleBytes(value)
    if (most === undefined) return this.#addEncoded(serialize(value, label))
    this.#makeRoom(most)
    const end = writeSimple(value, this.#bytes, this.#position)
    return this.#added(end - this.#position)
  }

  #addEncoded(bytes: Uint8Array<ArrayBuffer>): number {
    if (this.#count === 0 && bytes.byteLength >= FIRST_BYTES) {
      this.#only = bytes
      this.#lengths[0] = bytes.byteLength
      this.#count = 1
      return bytes.byteLength
    }
    this.#makeRoom(bytes.byteLength)
    this.#bytes.set(bytes, this.#position)
    return this.#added(bytes.byteLength)
  }

  /**
   * Returns the last `count` values; `count` must be at least two. `ends` contains the offset where the first value starts, and then the offset
   * where each value ends. The bytes are valid until the next value is added.
   */
  last(count: number): { bytes: Uint8Array; ends: number[] } {
    const ends = new Array<number>(count + 1)
    ends[count] = this.#position
    for (let i = 1; i <= count; i++) ends[count - i] = ends[count - i + 1]! - this.#lengths[this.#count - i]!
    return { bytes: this.#bytes, ends }
  }

  /** Returns the values that were added since the last call of `take`, in buffers that may be transferred. */
  take(): OwnPack {
    const lengths = this.#lengths.slice(0, this.#count)
    const bytes = this.#only === undefined ? this.#bytes.slice(0, this.#position) : ownBytes(this.#only)
    this.#count = 0
    this.#position = 0
    this.#only = undefined
    // A large buffer is not kept for the small values that follow.
    if (this.#bytes.byteLength > MOST_KEPT) this.#bytes = new Uint8Array(FIRST_BYTES)
    return { lengths, bytes }
  }

  #added(length: number): number {
    if (this.#count === this.#lengths.length) this.#lengths = grown(this.#lengths, new Uint32Array(2 * this.#count))
    this.#lengths[this.#count++] = length
    this.#position += length
    return length
  }

  #makeRoom(bytes: number): void {
    const first = this.#only
    const needed = this.#position + (first?.byteLength ?? 0) + bytes
    if (needed > this.#bytes.byteLength) {
      this.#bytes = grown(this.#bytes, new Uint8Array(Math.max(needed, 2 * this.#bytes.byteLength)))
    }
    if (first === undefined) return
    this.#only = undefined
    this.#bytes.set(first, this.#position)
    this.#position += first.byteLength
  }
}

function grown<Numbers extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  from: Numbers,
  to: Numbers
): Numbers {
  to.set(from)
  return to
}
