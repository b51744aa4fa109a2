/**
 * JSON for everything that structured clone can carry: what JSON can't hold becomes an object with one `$` key, e.g.
 * `{"$bigint":"12"}`. An object of the user's own with a `$` key is wrapped in `{"$object":…}`, so that the output
 * says exactly what the value was.
 */

const base64 = (bytes: ArrayBufferView | ArrayBufferLike): string =>
  ArrayBuffer.isView(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
    : Buffer.from(bytes).toString('base64')

function tagNumber(value: number): unknown {
  if (Object.is(value, -0)) return { $number: '-0' }
  return Number.isFinite(value) ? value : { $number: String(value) }
}

function tagError(error: Error, tag: (value: unknown) => unknown): unknown {
  return {
    $error: {
      name: error.name,
      message: error.message,
      ...(error.stack === undefined ? {} : { stack: error.stack }),
      ...(error.cause === undefined ? {} : { cause: tag(error.cause) })
    }
  }
}

/** Objects that are no plain ones; undefined for those that are. */
function tagBuiltIn(value: object, tag: (value: unknown) => unknown): unknown {
  if (value instanceof Uint8Array) return { $bytes: base64(value) }
  if (value instanceof DataView) return { $dataView: base64(value) }
  if (ArrayBuffer.isView(value)) return { $typedArray: value.constructor.name, base64: base64(value) }
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return { $arrayBuffer: base64(value) }
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? null : value.toISOString() }
  if (value instanceof RegExp) return { $regexp: value.source, flags: value.flags }
  if (value instanceof Map) return { $map: [...value].map(([key, item]) => [tag(key), tag(item)]) }
  if (value instanceof Set) return { $set: [...value].map(tag) }
  if (value instanceof Error) return tagError(value, tag)
  if (value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt) {
    return { $boxed: tag(value.valueOf()) }
  }
  return undefined
}

function tagPlain(value: object, tag: (value: unknown) => unknown): unknown {
  // fromEntries defines keys, so that one called __proto__ stays a key.
  const tagged = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, tag(item)]))
  return Object.keys(tagged).some(key => key.startsWith('$')) ? { $object: tagged } : tagged
}

/** Turns a value into one that JSON.stringify writes without loss. */
export function tagged(value: unknown): unknown {
  const open = new Set<object>()
  const tag = (item: unknown): unknown => {
    if (typeof item === 'number') return tagNumber(item)
    if (typeof item === 'bigint') return { $bigint: String(item) }
    if (item === undefined) return { $undefined: true }
    if (typeof item !== 'object' || item === null) return item
    // A value that holds itself has no end; how far up it points back says which one it is.
    if (open.has(item)) return { $circular: [...open].reverse().indexOf(item) + 1 }
    open.add(item)
    const result = Array.isArray(item)
      ? Array.from(item, (element, index) => (index in item ? tag(element) : { $hole: true }))
      : (tagBuiltIn(item, tag) ?? tagPlain(item, tag))
    open.delete(item)
    return result
  }
  return tag(value)
}

/** A value as JSON text, with tags for what JSON can't hold. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(tagged(value), undefined, indent)
}

/** A result that is bytes leaves as it is; undefined for all others, which are JSON. */
export function rawBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}
