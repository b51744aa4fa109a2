/**
 * Encodes values as bytes and decodes them: structured clone in the format of node:v8, readable across Node versions. The encoding is
 * exact: −0, NaN, Map, Set, BigInt, Date, holes and cycles survive. A decoded typed array has its own ArrayBuffer, at offset 0, so that
 * `chunk.buffer` contains only the array; two views of one buffer come back as two buffers.
 *
 * Numbers, short texts and other simple values are encoded without V8, because V8's serializer takes seven to twenty-five times as long.
 */
import { DefaultDeserializer, DefaultSerializer } from 'node:v8'
import { InvalidMessageError, NotCloneableError } from '../../common/errors.ts'
import { byteAt, SIMPLE_TAGS, simpleAt, simpleBytes, writeSimple } from './simple-values.ts'
import { isTooSparse } from './sparse-arrays.ts'
import { findUncloneable } from './uncloneable.ts'

type ViewConstructor = new (buffer: ArrayBuffer) => ArrayBufferView

// The index of a kind is part of the wire format, so new kinds must be appended.
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

/** The index of the kind of a view. As in structured clone, a subclass counts as the built-in class that it extends. */
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
 * Encodes a value. `label` names the value in errors (`input`, `partial`, …).
 *
 * @throws NotCloneableError with the path of the part that structured clone cannot carry, e.g. `input.rows[3].callback`
 */
export function encode(value: unknown, label: string): Uint8Array<ArrayBuffer> {
  const size = simpleBytes(value)
  if (size === undefined) return serialize(value, label)
  const bytes = new Uint8Array(size)
  return bytes.subarray(0, writeSimple(value, bytes, 0))
}

/** Encodes a value that is not simple, for {@link encode}. */
export function serialize(value: unknown, label: string): Uint8Array<ArrayBuffer> {
  try {
    const serializer = new PayloadSerializer()
    serializer.writeHeader()
    serializer.writeValue(value)
    return serializer.releaseBuffer() as Uint8Array<ArrayBuffer>
  } catch (cause) {
    // The search for the refused part walks the whole value, so the search is done only after a refusal.
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
 * Decodes the bytes that {@link encode} returned. Untrusted bytes can take long to decode, so decode them in a worker thread.
 *
 * @throws InvalidMessageError if the bytes are not an encoded value
 */
export function decode(bytes: Uint8Array, label: string): unknown {
  return decodeAt(bytes, 0, bytes.byteLength, label)
}

/** Like {@link decode}, for the bytes from `start` to `end` (exclusive). */
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
