/**
 * Values as bytes and back: structured clone as node:v8 has it, readable across Node versions. Exact: −0, NaN, Map, Set,
 * BigInt, Date, holes and cycles survive. Typed arrays come back in an ArrayBuffer of their own, at offset 0, so that
 * `chunk.buffer` holds the array and nothing else; two views of one buffer come back as two buffers.
 *
 * A number, a text and the like are written here: to start V8's serializer costs seven to twenty-five times what such a value does.
 */
import { DefaultDeserializer, DefaultSerializer } from 'node:v8'
import { InvalidMessageError, NotCloneableError } from '../../common/errors.ts'
import { byteAt, SIMPLE_TAGS, simpleAt, simpleBytes, writeSimple } from './simple-values.ts'
import { isTooSparse } from './sparse-arrays.ts'
import { findUncloneable } from './uncloneable.ts'

type ViewConstructor = new (buffer: ArrayBuffer) => ArrayBufferView

// The index of a kind travels: append only.
export const VIEWS: readonly ViewConstructor[] = [
  Uint8Array,
  Int8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView
]
const BUFFER = VIEWS.length
const KIND_BY_NAME = new Map(VIEWS.map((view, kind) => [view.name, kind]))

/** Subclasses (a user's own, or Node's Buffer pool) count as the built-in that they extend, as in structured clone. */
export function kindOf(view: ArrayBufferView): number {
  if (Buffer.isBuffer(view)) return BUFFER
  const name = view instanceof DataView ? 'DataView' : (view as Uint8Array)[Symbol.toStringTag]
  const kind = KIND_BY_NAME.get(name)
  if (kind === undefined) throw new TypeError(`${name} cannot be carried`)
  return kind
}

class PayloadSerializer extends DefaultSerializer {
  _writeHostObject(value: object): void {
    if (!ArrayBuffer.isView(value)) throw new TypeError(`#<${value.constructor?.name}> could not be cloned.`)
    this.writeUint32(kindOf(value))
    this.writeUint32(value.byteLength)
    this.writeRawBytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  }
}

class PayloadDeserializer extends DefaultDeserializer {
  _readHostObject(): ArrayBufferView {
    const kind = this.readUint32()
    const raw = this.readRawBytes(this.readUint32())
    const own = new ArrayBuffer(raw.byteLength)
    new Uint8Array(own).set(raw)
    if (kind === BUFFER) return Buffer.from(own)
    const View = VIEWS[kind]
    if (View === undefined) throw new TypeError(`unknown kind of binary data: ${kind}`)
    return new View(own)
  }
}

/**
 * Encodes a value. `label` names it in errors (`input`, `partial`, …).
 *
 * @throws NotCloneableError with the path of what cannot be carried, e.g. `input.rows[3].callback`
 */
export function encode(value: unknown, label: string): Uint8Array<ArrayBuffer> {
  const size = simpleBytes(value)
  if (size === undefined) return serialize(value, label)
  const bytes = new Uint8Array(size)
  return bytes.subarray(0, writeSimple(value, bytes, 0))
}

/** What {@link encode} does with values that are not simple. */
export function serialize(value: unknown, label: string): Uint8Array<ArrayBuffer> {
  try {
    const serializer = new PayloadSerializer()
    serializer.writeHeader()
    serializer.writeValue(value)
    return serializer.releaseBuffer() as Uint8Array<ArrayBuffer>
  } catch (cause) {
    // Looking for the culprit costs a walk over the whole value, so only what was refused is walked.
    const found = findUncloneable(value, label)
    const path = found?.path ?? label
    const why = found?.what ?? (cause instanceof Error ? cause.message : String(cause))
    throw new NotCloneableError(
      `${path} cannot be carried to another thread or machine: ${why}. Leave it out, or send plain data instead`,
      path,
      { cause }
    )
  }
}

/**
 * Decodes what {@link encode} made. Bytes of a stranger belong in a worker thread: parsing them can take long.
 *
 * @throws InvalidMessageError when the bytes are no encoded value
 */
export function decode(bytes: Uint8Array, label: string): unknown {
  return decodeAt(bytes, 0, bytes.byteLength, label)
}

/** As {@link decode}, of the bytes from `start` to `end` (exclusive). */
export function decodeAt(bytes: Uint8Array, start: number, end: number, label: string): unknown {
  try {
    if (byteAt(bytes, start, end) < SIMPLE_TAGS) return simpleAt(bytes, start, end)
    const value = bytes.subarray(start, end)
    if (isTooSparse(value)) throw new RangeError('its arrays have far more empty places than it has bytes')
    const deserializer = new PayloadDeserializer(value)
    deserializer.readHeader()
    return deserializer.readValue()
  } catch (cause) {
    throw new InvalidMessageError(`${label} is not an encoded value (${end - start} bytes)`, { cause })
  }
}
