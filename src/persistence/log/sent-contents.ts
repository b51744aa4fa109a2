import { arePending, pendingBytes } from '../../lib/pending-bytes.ts'
import type { Content, GivenValue, Stored } from './content-log.ts'

/** A change of a value that names these contents. */
interface Naming {
  key: string
  contents?: readonly Uint8Array[]
}

/**
 * The contents that the thread of a log has on disk. Their bytes are not sent again: a job writes all of its partials with each checkpoint, and few of
 * them are new.
 */
export class SentContents {
  readonly #ids = new WeakMap<Uint8Array, number>()
  /** The contents that each value on disk names. */
  readonly #named = new Map<string, ReadonlySet<number>>()
  /** The number of times that values on disk name each content. */
  readonly #uses = new Map<number, number>()
  /** The contents of an earlier process, while its values are read. */
  readonly #restored = new Map<number, Uint8Array>()
  #forgotten: number[] = []
  #lastId = 0

  /** Takes a value of an earlier process, whose contents are on disk. */
  restored(
    key: string,
    { value, contents: given }: GivenValue,
    load: (id: number, bytes: Uint8Array) => Promise<void>
  ): Stored {
    const contents = given.map(({ id, byteLength, bytes: read }) => {
      const bytes = read ?? this.#restored.get(id) ?? pendingBytes(byteLength, bytes => load(id, bytes))
      this.#restored.set(id, bytes)
      this.#ids.set(bytes, id)
      return bytes
    })
    this.written(new Map([[key, { key, contents }]]))
    return { value, contents }
  }

  /** All values of the earlier process were read. */
  areRestored(): void {
    this.#restored.clear()
  }

  /**
   * Returns the contents of a value as they are sent: with their bytes, unless the value of this key on disk names them. A value of another key may be
   * replaced meanwhile. Adds the buffers that are to be transferred.
   */
  toSend({ key, contents = [] }: Naming, transfer: ArrayBuffer[]): Content[] {
    return contents.map(bytes => {
      const id = this.#idOf(bytes)
      // What was not read yet is on disk.
      return this.#isNamed(key, id) || arePending(bytes) ? { id } : { id, bytes: copied(bytes, transfer) }
    })
  }

  /** Makes the next values with these contents send the bytes, because those on disk are damaged. */
  renew(contents: readonly Uint8Array[]): void {
    for (const bytes of contents) this.#ids.delete(bytes)
  }

  /** Returns the number of bytes that are to be sent. */
  bytesToSend({ key, contents = [] }: Naming): number {
    return contents.reduce((sum, bytes) => sum + (this.#isNamed(key, this.#idOf(bytes)) ? 0 : bytes.byteLength), 0)
  }

  /** These changes are on disk, each of another key. */
  written(changes: ReadonlyMap<string, Naming>): void {
    const before = [...changes.keys()].flatMap(key => [...(this.#named.get(key) ?? [])])
    for (const { key, contents = [] } of changes.values()) {
      const ids = new Set(contents.map(bytes => this.#idOf(bytes)))
      for (const id of ids) this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1)
      if (ids.size > 0) this.#named.set(key, ids)
      else this.#named.delete(key)
    }
    // A content may have moved from one value to another one.
    for (const id of before) this.#release(id)
  }

  /** Returns the contents that no value on disk names any more, once. */
  takeForgotten(): number[] {
    return this.#forgotten.splice(0)
  }

  #isNamed(key: string, id: number): boolean {
    return this.#named.get(key)?.has(id) === true
  }

  #release(id: number): void {
    const uses = this.#uses.get(id)! - 1
    if (uses > 0) this.#uses.set(id, uses)
    else {
      this.#uses.delete(id)
      this.#forgotten.push(id)
    }
  }

  #idOf(bytes: Uint8Array): number {
    const id = this.#ids.get(bytes) ?? ++this.#lastId
    this.#ids.set(bytes, id)
    return id
  }
}

/** Returns a copy that may be transferred: the bytes may be a part of a larger buffer, and this thread goes on using them. */
export function copied(bytes: Uint8Array, transfer: ArrayBuffer[]): Uint8Array {
  const copy = new Uint8Array(bytes)
  transfer.push(copy.buffer)
  return copy
}
