/**
 * Keeps values by key, with their contents. Equal contents are stored once, by their SHA-256, in parts: other changes never wait long for a large
 * one. A content is on disk before the value that names it.
 */
import { createHash } from 'node:crypto'
import type { Change } from './frames.ts'
import type { KeyValueLog } from './key-value-log.ts'

/** The number of parts of large contents that one commit writes. */
const PARTS_A_COMMIT = 4
/** The number of parts that are hashed before other changes may be committed. */
const PARTS_A_HASH = 32
const HASH_BYTES = 32
/** The bytes of one name in the list before a value: the hash of the content, and its length. */
const NAME_BYTES = HASH_BYTES + 8
const VALUE = 'v/'
const CONTENT = 'c/'

/** A value with its contents. */
export interface Stored {
  value: Uint8Array
  contents: readonly Uint8Array[]
}

/** A content that is to be stored. Its bytes may be left out if a value names it already, with the same id. */
export interface Content {
  id: number
  bytes?: Uint8Array | undefined
}

/** A content as it is given to the caller. Its bytes are left out if they were given before, or can be loaded later. */
export interface GivenContent extends Content {
  byteLength: number
}

/** A value with its contents as they are given to the caller. */
export interface GivenValue {
  value: Uint8Array
  contents: readonly GivenContent[]
}

/** A change of one key. Without a value the key is deleted. */
export interface StoreChange extends Change {
  contents?: readonly Content[]
}

/** A content that a value names. */
interface Name {
  hash: string
  bytes: number
}

export class ContentLog {
  readonly #log: KeyValueLog
  /** The contents that each value names, if any. */
  readonly #names = new Map<string, readonly Name[]>()
  /** The number of times that values, and commits that have begun, name each content. */
  readonly #uses = new Map<string, number>()
  /** The contents that the caller has given. */
  readonly #byId = new Map<number, Name>()
  readonly #partBytes: number
  /** The ids of contents that were given to the caller, by hash. They are below 0, and those of the caller are not. */
  readonly #given = new Map<string, number>()
  /** Parts that no value may name: of a process, or of changes, that did not come to the value. */
  #orphans: string[] = []

  /** @param partBytes - the size of the parts of contents, always the same for one log */
  constructor(log: KeyValueLog, partBytes = 2 ** 20) {
    this.#log = log
    this.#partBytes = partBytes
    for (const key of this.keys()) {
      const found = log.get(VALUE + key)
      if (found === undefined) continue
      const { names } = decodeNames(found)
      if (names.length > 0) this.#names.set(key, names)
      for (const { hash } of names) this.#uses.set(hash, (this.#uses.get(hash) ?? 0) + 1)
    }
    for (const key of log.keys()) if (key.startsWith(CONTENT) && !this.#uses.has(hashIn(key))) this.#orphans.push(key)
  }

  /** The keys of all values. */
  *keys(): IterableIterator<string> {
    for (const key of this.#log.keys()) if (key.startsWith(VALUE)) yield key.slice(VALUE.length)
  }

  /** Returns a value. Undefined if there is none, or a part of it is damaged. */
  get(key: string): Stored | undefined {
    const found = this.#log.get(VALUE + key)
    if (found === undefined) return undefined
    const { names, value } = decodeNames(found)
    const contents: Uint8Array[] = []
    for (const name of names) {
      const content = this.#read(name)
      if (content === undefined) return undefined
      contents.push(content)
    }
    return { value, contents }
  }

  /**
   * Does the same with the ids of the contents, which the caller may name from now on. The bytes of a content are given once.
   *
   * @param mostBytes - a longer content is checked, but its bytes are not given
   */
  give(key: string, mostBytes: number): GivenValue | undefined {
    const found = this.#log.get(VALUE + key)
    if (found === undefined) return undefined
    const { names, value } = decodeNames(found)
    const contents: GivenContent[] = []
    for (const name of names) {
      const id = this.#given.get(name.hash) ?? -1 - this.#given.size
      const isNew = !this.#given.has(name.hash)
      const bytes = isNew && name.bytes <= mostBytes ? this.#read(name) : undefined
      if (isNew && bytes === undefined && !(name.bytes > mostBytes && this.#isWhole(name))) return undefined
      this.#given.set(name.hash, id)
      this.#byId.set(id, name)
      contents.push({ id, bytes, byteLength: name.bytes })
    }
    return { value, contents }
  }

  /** Returns a content that was given. Undefined if it is damaged, or no value names it any more. */
  load(id: number): Uint8Array | undefined {
    const name = this.#byId.get(id)
    return name && this.#read(name)
  }

  /**
   * Makes all changes last, or none of them. Each key is changed once.
   *
   * @throws the error of the disk. Then these or other changes can be made.
   */
  commit(changes: readonly StoreChange[]): void {
    const named = changes.map(({ key, value, contents = [] }) => {
      return {
        key,
        value,
        contents,
        names: contents.map(content => this.#byId.get(content.id) ?? this.#nameNow(content))
      }
    })
    const parts = named.flatMap(({ contents, names }) =>
      contents.flatMap((content, i) => this.#newParts(content, names[i]!))
    )
    const uses = this.#usesAfter(named)
    const values = named.map(({ key, value, names }) => ({
      key: VALUE + key,
      value: value && encodeNames(names, value)
    }))
    this.#log.commit([
      ...new Map(parts.map(part => [part.key, part])).values(),
      ...values,
      ...this.#unused(named, uses)
    ])
    for (const { key, names } of named) {
      if (names.length > 0) this.#names.set(key, names)
      else this.#names.delete(key)
    }
    for (const [hash, count] of uses) this.#setUses(hash, count)
    this.#orphans = []
  }

  /**
   * Does the same in several commits, the contents first. Other changes, of other keys, may be committed between two steps. A caller that stops before
   * the end must return from the generator.
   */
  *commitInSteps(changes: readonly StoreChange[]): Generator<void> {
    const begun: Name[] = []
    try {
      for (const content of changes.flatMap(({ contents = [] }) => contents)) {
        const name = yield* this.#name(content)
        this.#setUses(name.hash, this.#usesOf(name.hash) + 1)
        begun.push(name)
        const parts = this.#newParts(content, name)
        while (parts.length > 0) {
          this.#log.commit(parts.splice(0, PARTS_A_COMMIT))
          yield
        }
      }
      this.commit(changes)
    } finally {
      for (const name of begun) this.#release(name)
    }
  }

  /** Returns the keys of the values that were found to be damaged since the last call, in themselves or in a content. */
  takeLost(): string[] {
    const lost = this.#log.takeLost()
    if (lost.length === 0) return []
    const hashes = new Set(lost.filter(key => key.startsWith(CONTENT)).map(hashIn))
    const values = lost.filter(key => key.startsWith(VALUE)).map(key => key.slice(VALUE.length))
    const naming = [...this.#names].filter(([, names]) => names.some(({ hash }) => hashes.has(hash)))
    return [...new Set([...values, ...naming.map(([key]) => key)])]
  }

  /** Forgets contents that the caller will give with their bytes, if it gives them again. */
  forget(ids: readonly number[]): void {
    for (const id of ids) this.#byId.delete(id)
  }

  #nameNow(content: Content): Name {
    const naming = this.#name(content)
    for (;;) {
      const { done, value } = naming.next()
      if (done === true) return value
    }
  }

  /** Returns the name of a content. To hash a large one takes long. */
  *#name({ id, bytes }: Content): Generator<void, Name> {
    const known = this.#byId.get(id)
    if (known !== undefined) return known
    if (bytes === undefined) throw new Error(`the content ${id} is not known`)
    const hash = createHash('sha256')
    for (const [i, part] of this.#partsOf(bytes).entries()) {
      hash.update(part)
      if (i % PARTS_A_HASH === PARTS_A_HASH - 1) yield
    }
    const name = { hash: hash.digest('hex'), bytes: bytes.byteLength }
    this.#byId.set(id, name)
    return name
  }

  /** Returns the parts that are not in the log. */
  #newParts({ bytes }: Content, { hash }: Name): Change[] {
    if (bytes === undefined) return []
    const parts = this.#partsOf(bytes).map((value, at) => ({ key: partKey(hash, at), value }))
    return parts.filter(({ key }) => !this.#log.has(key))
  }

  #usesOf(hash: string): number {
    return this.#uses.get(hash) ?? 0
  }

  #setUses(hash: string, count: number): void {
    if (count > 0) this.#uses.set(hash, count)
    else this.#uses.delete(hash)
  }

  #release({ hash, bytes }: Name): void {
    this.#setUses(hash, this.#usesOf(hash) - 1)
    if (this.#usesOf(hash) === 0) this.#orphans.push(...this.#partKeys(hash, bytes).filter(key => this.#log.has(key)))
  }

  #partKeys(hash: string, bytes: number): string[] {
    return Array.from({ length: Math.ceil(bytes / this.#partBytes) }, (_, at) => partKey(hash, at))
  }

  /** Returns how often the contents of these values are named after the changes. */
  #usesAfter(named: readonly { key: string; names: readonly Name[] }[]): Map<string, number> {
    const uses = new Map<string, number>()
    const count = (hash: string, more: number): void => {
      uses.set(hash, (uses.get(hash) ?? this.#usesOf(hash)) + more)
    }
    for (const { key, names } of named) {
      for (const { hash } of this.#names.get(key) ?? []) count(hash, -1)
      for (const { hash } of names) count(hash, 1)
    }
    return uses
  }

  /** Returns the deletions of the contents that no value names any more. */
  #unused(named: readonly { key: string }[], uses: ReadonlyMap<string, number>): Change[] {
    const isUnused = (hash: string): boolean => (uses.get(hash) ?? this.#usesOf(hash)) === 0
    const parts = new Set(this.#orphans.filter(key => isUnused(hashIn(key))))
    for (const { hash, bytes } of named.flatMap(({ key }) => this.#names.get(key) ?? []))
      if (isUnused(hash)) for (const key of this.#partKeys(hash, bytes)) parts.add(key)
    return [...parts].map(key => ({ key, value: undefined }))
  }

  #read(name: Name): Uint8Array | undefined {
    const content = new Uint8Array(name.bytes)
    return this.#isWhole(name, (part, from) => content.set(part, from)) ? content : undefined
  }

  /** Whether all parts of a content are there and undamaged. */
  #isWhole({ hash, bytes }: Name, each: (part: Uint8Array, from: number) => void = () => {}): boolean {
    for (let from = 0, at = 0; from < bytes; from += this.#partBytes, at++) {
      const part = this.#log.peek(partKey(hash, at))
      if (part?.byteLength !== Math.min(this.#partBytes, bytes - from)) return false
      each(part, from)
    }
    return true
  }

  #partsOf(content: Uint8Array): Uint8Array[] {
    const parts: Uint8Array[] = []
    for (let from = 0; from < content.byteLength; from += this.#partBytes)
      parts.push(content.subarray(from, from + this.#partBytes))
    return parts
  }
}

function partKey(hash: string, at: number): string {
  return `${CONTENT}${hash}/${at}`
}

function hashIn(key: string): string {
  return key.slice(CONTENT.length, CONTENT.length + 2 * HASH_BYTES)
}

/** Returns the value with its names before it. */
function encodeNames(names: readonly Name[], value: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(4 + names.length * NAME_BYTES + value.byteLength)
  bytes.writeUInt32LE(names.length, 0)
  for (const [i, { hash, bytes: length }] of names.entries()) {
    bytes.write(hash, 4 + i * NAME_BYTES, 'hex')
    bytes.writeDoubleLE(length, 4 + i * NAME_BYTES + HASH_BYTES)
  }
  bytes.set(value, 4 + names.length * NAME_BYTES)
  return bytes
}

function decodeNames(found: Uint8Array): { names: Name[]; value: Uint8Array } {
  const bytes = Buffer.from(found.buffer, found.byteOffset, found.byteLength)
  const count = bytes.readUInt32LE(0)
  const names = Array.from({ length: count }, (_, i) => {
    const at = 4 + i * NAME_BYTES
    return { hash: bytes.toString('hex', at, at + HASH_BYTES), bytes: bytes.readDoubleLE(at + HASH_BYTES) }
  })
  return { names, value: found.subarray(4 + count * NAME_BYTES) }
}
