/**
 * Values without parts, as bytes: a byte that says what it is, then the value. Structured clone's bytes begin with 0xff, so neither is taken
 * for the other.
 */

// They travel: append only.
const UNDEFINED = 0
const NULL = 1
const FALSE = 2
const TRUE = 3
const NUMBER = 4
/** A text with one byte a character: its code, below 256. */
const LATIN1 = 5
/** Two bytes a character, low byte first: its UTF-16 code, so halves of pairs survive. */
const UTF16 = 6

/** Bytes from it on begin something else. */
export const SIMPLE_TAGS = 7

/** A text up to this length is written here; asking the runtime to do it costs more. */
const SHORT = 24
const WIDE = /[^\0-\xff]/

const view = new DataView(new ArrayBuffer(8))
const viewBytes = new Uint8Array(view.buffer)

/** How many bytes the value takes at most; undefined: it is not simple. */
export function simpleBytes(value: unknown): number | undefined {
  switch (typeof value) {
    case 'number':
      return 9
    case 'string':
      return 1 + value.length * (value.length > SHORT && !WIDE.test(value) ? 1 : 2)
    case 'boolean':
    case 'undefined':
      return 1
    case 'object':
      return value === null ? 1 : undefined
    default:
      return undefined
  }
}

/** Writes a simple value, for which there is room; returns where it ends. */
export function writeSimple(value: unknown, bytes: Uint8Array, at: number): number {
  switch (typeof value) {
    case 'number':
      bytes[at] = NUMBER
      view.setFloat64(0, value, true)
      for (let i = 0; i < 8; i++) bytes[at + 1 + i] = viewBytes[i] as number
      return at + 9
    case 'string':
      return writeText(value, bytes, at)
    case 'boolean':
      bytes[at] = value ? TRUE : FALSE
      return at + 1
    case 'undefined':
      bytes[at] = UNDEFINED
      return at + 1
    default:
      bytes[at] = NULL
      return at + 1
  }
}

function writeText(text: string, bytes: Uint8Array, start: number): number {
  const { length } = text
  if (length <= SHORT) {
    let wide = 0
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      wide |= code
      bytes[start + 1 + i] = code
    }
    if (wide < 0x100) {
      bytes[start] = LATIN1
      return start + 1 + length
    }
  }
  const encoding = length > SHORT && !WIDE.test(text) ? 'latin1' : 'utf16le'
  bytes[start] = encoding === 'latin1' ? LATIN1 : UTF16
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return start + 1 + buffer.write(text, start + 1, encoding)
}

/** The first of the bytes from `start` to `end`; 0xff where there is none. */
export function byteAt(bytes: Uint8Array, start: number, end: number): number {
  return start < end ? (bytes[start] as number) : 0xff
}

/**
 * The simple value that takes the bytes from `start` to `end` (exclusive).
 *
 * @throws RangeError when they are none
 */
export function simpleAt(bytes: Uint8Array, start: number, end: number): unknown {
  const size = end - start - 1
  switch (bytes[start]) {
    case NUMBER: {
      if (size !== 8) break
      for (let i = 0; i < 8; i++) viewBytes[i] = bytes[start + 1 + i] as number
      return view.getFloat64(0, true)
    }
    case LATIN1:
      return textAt(bytes, start + 1, end, 'latin1')
    case UTF16:
      if (size % 2 !== 0) break
      return textAt(bytes, start + 1, end, 'utf16le')
    case UNDEFINED:
      if (size === 0) return undefined
      break
    case NULL:
      if (size === 0) return null
      break
    case FALSE:
      if (size === 0) return false
      break
    case TRUE:
      if (size === 0) return true
      break
  }
  throw new RangeError(`a value of kind ${bytes[start]} does not have ${size} bytes`)
}

function textAt(bytes: Uint8Array, start: number, end: number, encoding: 'latin1' | 'utf16le'): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding, start, end)
}
