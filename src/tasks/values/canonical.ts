/**
 * A digest of values. Equal values have equal digests on every machine, thread and version of Node. The bytes of structured clone
 * cannot be the base of a digest, because they depend on how V8 stores a value (a text with one byte a character or two, 1 as an
 * integer or a double, an array that once had holes).
 *
 * Two values are equal if their structured clones are equal. So a class instance equals the plain object with its properties, and an
 * Error counts by its kind and message (its stack names paths of one machine). The order of properties and of the entries of a Map or
 * Set is part of the value, because code can observe the order. The identity of parts is also part of the value: two references to one
 * object differ from two equal objects. In an array of more than 64 elements, named properties are ignored, because the search for
 * named properties would take longer than the rest of the digest.
 */
import { createHash, type Hash, hash } from 'node:crypto'
import { types } from 'node:util'
import { kindOf } from './payload.ts'

/**
 * The number of bytes of a digest. A digest is the first half of a SHA-256, or the written value itself if the written value is shorter. The
 * last byte tells which of the two forms the digest has.
 */
export const DIGEST_BYTES = 16
/** If this bit of the last byte is set, the digest is a hash. Otherwise the last byte is the number of bytes that the written value takes. */
const IS_HASH = 0x80

const BUFFER_BYTES = 64 * 1024
const MAX_NAMED = 64
/** The longest text that this module writes itself, because for short texts a call of the runtime takes longer. */
const SHORT = 48

// These numbers are the first byte of a written value. The reader can find the end of each kind from its bytes, so no two values have the same bytes.
const UNDEFINED = 0
const NULL = 1
const FALSE = 2
const TRUE = 3
const NUMBER = 4
const BIGINT = 5
const UTF8 = 6
const UTF16 = 7
/** A reference to an object by the number of the object. The object itself is written later. */
const OBJECT = 8
const HOLES = 9
const KINDS = {
  object: 16,
  array: 17,
  map: 18,
  set: 19,
  date: 20,
  regExp: 21,
  boxed: 22,
  error: 23,
  buffer: 24,
  view: 32
}

/** Matches a lone surrogate, because a lone surrogate has no form in UTF-8. */
const LONE_SURROGATE = /\p{Surrogate}/u

const ERRORS = new Set(['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'])

/**
 * The digest of a value that structured clone can carry.
 *
 * @throws TypeError if the value contains a function or a symbol
 */
export function digestOf(value: unknown): Uint8Array {
  const digest = new Uint8Array(DIGEST_BYTES)
  writeDigest(value, digest, 0)
  return digest
}

/** Writes the digest of a value into `digests` at the offset `at`. Throws the same errors as {@link digestOf}. */
export function writeDigest(value: unknown, digests: Uint8Array, at: number): void {
  writer.digest(value, digests, at)
}

class CanonicalWriter {
  readonly #bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  readonly #view = new DataView(this.#bytes.buffer)
  #position = 0
  /** The hash of all bytes that were moved out of the full buffer; undefined while all bytes fit into the buffer. */
  #hash: Hash | undefined
  /** The objects in the order in which they were found. The objects are written in this order and not recursively, so nesting needs no call stack. */
  #objects: object[] = []
  #numbers: Map<object, number> | undefined

  digest(value: unknown, digests: Uint8Array, at: number): void {
    try {
      this.#value(value)
      for (let next = 0; next < this.#objects.length; next++) this.#body(this.#objects[next] as object)
      this.#end(digests, at)
    } finally {
      this.#position = 0
      if (this.#hash !== undefined) this.#hash = undefined
      if (this.#objects.length > 0) this.#objects = []
      if (this.#numbers !== undefined) this.#numbers = undefined
    }
  }

  #end(digests: Uint8Array, at: number): void {
    const size = this.#position
    const last = at + DIGEST_BYTES - 1
    if (this.#hash === undefined && size < DIGEST_BYTES) {
      for (let i = 0; i < size; i++) digests[at + i] = this.#bytes[i] as number
      digests.fill(0, at + size, last)
      digests[last] = size
      return
    }
    const rest = this.#bytes.subarray(0, size)
    if (this.#hash !== undefined) {
      digests.set(this.#hash.update(rest).digest().subarray(0, DIGEST_BYTES), at)
    } else {
      // A call of `hash()` with a text as its result takes a tenth of the time of a `Hash` object.
      const text = hash('sha256', rest, 'binary')
      for (let i = 0; i < DIGEST_BYTES; i++) digests[at + i] = text.charCodeAt(i)
    }
    digests[last] = (digests[last] as number) | IS_HASH
  }

  #value(value: unknown): void {
    if (typeof value === 'number') this.#number(NUMBER, value)
    else if (typeof value === 'string') this.#text(value)
    else if (value === undefined) this.#tag(UNDEFINED)
    else if (value === null) this.#tag(NULL)
    else if (typeof value === 'object') this.#count(OBJECT, this.#numberOf(value))
    else if (typeof value === 'boolean') this.#tag(value ? TRUE : FALSE)
    else if (typeof value === 'bigint') {
      this.#tag(BIGINT)
      this.#text(value.toString(16))
    } else throw new TypeError(`a ${typeof value} has no digest`)
  }

  #numberOf(value: object): number {
    const count = this.#objects.length
    if (count > 0) {
      // The map is created on demand, because most chunks are a single object and need no map.
      this.#numbers ??= new Map(this.#objects.map((object, number) => [object, number]))
      const known = this.#numbers.get(value)
      if (known !== undefined) return known
      this.#numbers.set(value, count)
    }
    this.#objects.push(value)
    return count
  }

  #body(value: object): void {
    if (Array.isArray(value)) this.#array(value)
    else if (types.isNativeError(value) || Object.getPrototypeOf(value) !== Object.prototype) this.#special(value)
    else this.#properties(value, Object.keys(value))
  }

  #special(value: object): void {
    if (ArrayBuffer.isView(value)) {
      this.#count(KINDS.view + kindOf(value), value.byteLength)
      this.#raw(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    } else if (types.isAnyArrayBuffer(value)) {
      const { resizable, maxByteLength } = value as { resizable?: boolean; maxByteLength?: number }
      this.#count(KINDS.buffer, value.byteLength)
      this.#value(resizable === true ? maxByteLength : undefined)
      this.#raw(new Uint8Array(value))
    } else if (types.isMap(value)) {
      this.#count(KINDS.map, value.size)
      Map.prototype.forEach.call(value, (entry, key) => {
        this.#value(key)
        this.#value(entry)
      })
    } else if (types.isSet(value)) {
      this.#count(KINDS.set, value.size)
      Set.prototype.forEach.call(value, entry => this.#value(entry))
    } else if (types.isDate(value)) this.#number(KINDS.date, Date.prototype.getTime.call(value))
    else if (types.isRegExp(value)) {
      this.#tag(KINDS.regExp)
      this.#text(value.source)
      this.#text(value.flags)
    } else if (types.isBoxedPrimitive(value)) {
      this.#tag(KINDS.boxed)
      this.#value(primitiveOf(value))
    } else if (types.isNativeError(value)) {
      const message = Object.getOwnPropertyDescriptor(value, 'message')
      this.#tag(KINDS.error)
      this.#text(ERRORS.has(value.name) ? value.name : 'Error')
      this.#value(message === undefined || !('value' in message) ? undefined : String(message.value))
    } else this.#properties(value, Object.keys(value))
  }

  #properties(value: object, keys: string[]): void {
    this.#count(KINDS.object, keys.length)
    for (const key of keys) {
      this.#text(key)
      this.#value((value as Record<string, unknown>)[key])
    }
  }

  #array(value: unknown[]): void {
    const { length } = value
    this.#count(KINDS.array, length)
    for (let i = 0; i < length; i++) {
      const element = value[i]
      if (element !== undefined || Object.hasOwn(value, i)) {
        this.#value(element)
        continue
      }
      const end = endOfHoles(value, i)
      this.#count(HOLES, end - i)
      i = end - 1
    }
    if (length > MAX_NAMED) return
    const named = Object.keys(value).filter(key => !isIndex(key, length))
    if (named.length > 0) this.#properties(value, named)
  }

  #tag(tag: number): void {
    if (this.#position === BUFFER_BYTES) this.#flush()
    this.#bytes[this.#position++] = tag
  }

  /** Writes a whole number of at least 0. */
  #count(tag: number, count: number): void {
    if (count >= 0xff) {
      this.#tag(tag)
      this.#number(0xff, count)
      return
    }
    this.#tag(tag)
    this.#tag(count)
  }

  #number(tag: number, value: number): void {
    if (this.#position + 9 > BUFFER_BYTES) this.#flush()
    this.#bytes[this.#position] = tag
    // NaN has many bit patterns, and all of them are written as the same pattern. −0 keeps its sign.
    this.#view.setFloat64(this.#position + 1, Number.isNaN(value) ? Number.NaN : value)
    this.#position += 9
  }

  #text(text: string): void {
    if (text.length <= SHORT && this.#ascii(text)) return
    const utf8 = Buffer.from(text)
    const isUtf8 = utf8.byteLength === text.length || !LONE_SURROGATE.test(text)
    const bytes = isUtf8 ? utf8 : Buffer.from(text, 'utf16le')
    this.#count(isUtf8 ? UTF8 : UTF16, bytes.byteLength)
    this.#raw(bytes)
  }

  #ascii(text: string): boolean {
    const { length } = text
    if (this.#position + 2 + length > BUFFER_BYTES) this.#flush()
    const bytes = this.#bytes
    let position = this.#position
    bytes[position++] = UTF8
    bytes[position++] = length
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      if (code >= 0x80) return false
      bytes[position++] = code
    }
    this.#position = position
    return true
  }

  #raw(bytes: Uint8Array): void {
    if (this.#position + bytes.byteLength > BUFFER_BYTES) {
      this.#flush()
      if (bytes.byteLength > BUFFER_BYTES) {
        this.#hash?.update(bytes)
        return
      }
    }
    this.#bytes.set(bytes, this.#position)
    this.#position += bytes.byteLength
  }

  #flush(): void {
    this.#hash ??= createHash('sha256')
    this.#hash.update(this.#bytes.subarray(0, this.#position))
    this.#position = 0
  }
}

const writer = new CanonicalWriter()

/** The index after the holes that begin at `from`. The function counts a few holes, and after many holes searches for the next key. */
function endOfHoles(array: unknown[], from: number): number {
  let end = from + 1
  while (end < array.length && !Object.hasOwn(array, end)) {
    if (++end - from > 1000) return Number(Object.keys(array).find(key => Number(key) >= end) ?? array.length)
  }
  return end
}

function isIndex(key: string, length: number): boolean {
  const index = Number(key)
  return Number.isInteger(index) && index >= 0 && index < length && String(index) === key
}

function primitiveOf(value: object): unknown {
  if (types.isNumberObject(value)) return Number.prototype.valueOf.call(value)
  if (types.isStringObject(value)) return String.prototype.valueOf.call(value)
  if (types.isBooleanObject(value)) return Boolean.prototype.valueOf.call(value)
  if (types.isBigIntObject(value)) return BigInt.prototype.valueOf.call(value)
  return Symbol.prototype.valueOf.call(value)
}
