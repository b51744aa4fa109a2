/**
 * Finds out which values structured clone carries unchanged. A clone loses the prototype of a class, getters, frozenness and
 * properties of a Map, so code that relies on these features behaves differently with a clone.
 */
import { types } from 'node:util'
import { VIEWS } from './payload.ts'

export interface Survey {
  /** Whether a clone differs from the value only in the identity of its parts. */
  plain: boolean
  /** The approximate size of the encoded value, in bytes. */
  bytes: number
}

const NUMBER_BYTES = 9
const OTHER_BYTES = 2
const VIEW_PROTOTYPES = new Set<unknown>([...VIEWS, Buffer].map(({ prototype }) => prototype))

/**
 * Surveys every part of a value. When in doubt, a value counts as not plain: this holds for values that cannot be cloned, and also
 * for errors and regular expressions, although a clone preserves them well enough. Properties that were added to a typed array are ignored.
 */
export function survey(value: unknown): Survey {
  if (isPrimitive(value)) return { plain: true, bytes: sizeOf(value) }
  const seen = new Set<object>()
  const buffers = new Set<ArrayBufferLike>()
  const rest: unknown[] = [value]
  let plain = true
  let bytes = 0
  while (rest.length > 0) {
    const part = rest.pop()
    bytes += sizeOf(part)
    if (typeof part === 'function' || typeof part === 'symbol') plain = false
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    if (!ArrayBuffer.isView(part) && !types.isAnyArrayBuffer(part)) plain = addParts(part, rest) && plain
    else {
      bytes += part.byteLength
      plain = isPlainBinary(part, buffers) && plain
    }
  }
  return { plain, bytes }
}

/** Whether a value can be cloned and has no parts. */
function isPrimitive(value: unknown): boolean {
  return value === null || !['object', 'function', 'symbol'].includes(typeof value)
}

function sizeOf(part: unknown): number {
  if (typeof part === 'string') return OTHER_BYTES + part.length
  return typeof part === 'number' || typeof part === 'bigint' ? NUMBER_BYTES : OTHER_BYTES
}

/** Adds the parts of an object to `rest`. Returns false if a clone of the object itself would differ. */
function addParts(value: object, rest: unknown[]): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (types.isProxy(value)) return false
  if (Array.isArray(value)) {
    for (const key of Object.keys(value)) rest.push(value[key as unknown as number])
    return prototype === Array.prototype && Object.isExtensible(value)
  }
  if (types.isMap(value)) {
    for (const [key, entry] of value) rest.push(key, entry)
    return prototype === Map.prototype && isBare(value)
  }
  if (types.isSet(value)) {
    for (const entry of value) rest.push(entry)
    return prototype === Set.prototype && isBare(value)
  }
  if (types.isDate(value)) return prototype === Date.prototype && isBare(value)
  return addProperties(value, rest) && prototype === Object.prototype && !isExotic(value)
}

/** Adds the properties of an object to `rest`. Returns false if a property has more than a name and a value. */
function addProperties(value: object, rest: unknown[]): boolean {
  let plain = Object.isExtensible(value)
  for (const key of Reflect.ownKeys(value)) {
    const property = Object.getOwnPropertyDescriptor(value, key)
    if (typeof key === 'symbol' || !property?.enumerable || !property.writable || !property.configurable) plain = false
    rest.push(key, property?.value)
  }
  return plain
}

function isBare(value: object): boolean {
  return Object.isExtensible(value) && Reflect.ownKeys(value).length === 0
}

/** Whether an object is of a built-in kind although it has a plain object's prototype. */
function isExotic(value: object): boolean {
  return types.isBoxedPrimitive(value) || types.isRegExp(value) || types.isNativeError(value)
}

/** Whether a buffer is plain. A decoded view has its own buffer, so a view is plain only if it covers an unshared buffer completely. */
function isPlainBinary(value: ArrayBufferView | ArrayBufferLike, buffers: Set<ArrayBufferLike>): boolean {
  const isView = ArrayBuffer.isView(value)
  const buffer = isView ? value.buffer : value
  if (!(buffer instanceof ArrayBuffer) || ('resizable' in buffer && buffer.resizable === true)) return false
  if (buffers.has(buffer)) return false
  buffers.add(buffer)
  if (!isView) return Object.getPrototypeOf(value) === ArrayBuffer.prototype && isBare(value)
  const isWhole = value.byteLength === buffer.byteLength && Object.isExtensible(value)
  return isWhole && VIEW_PROTOTYPES.has(Object.getPrototypeOf(value))
}
