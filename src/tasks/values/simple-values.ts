/**
 * Encodes values without parts: a tag byte, then the value. The bytes of structured clone begin with 0xff, so a decoder can tell the two formats
 * apart.
 */

// The tags are part of the wire format, so new tags must be appended.
const UNDEFINED = 0
const NULL = 1
const FALSE = 2
const TRUE = 3
const NUMBER = 4
/** A text with one byte for each character: the code of the character, which is below 256. */
const LATIN1 = 5
/** A text with two bytes for each UTF-16 code unit, low byte first, so that lone surrogates survive. */
const UTF16 = 6

/** The number of tags. If the first byte is not below this number, the bytes have another format. */
export const SIMPLE_TAGS = 7

/** The longest text that this module writes itself, because for short texts a call of the runtime takes longer. */
const SHORT = 24
const WIDE = /[^\0-\xff]/

const view = new DataView(new ArrayBuffer(8))
const viewBytes = new Uint8Array(view.buffer)

/** An upper bound for the bytes that the value takes; undefined if the value is not simple. */
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

/** Writes a simple value; returns the offset after the value. `bytes` must have room for {@link simpleBytes} bytes. */
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

/** The byte at `start`; 0xff if the range from `start` to `end` is empty. */
export function byteAt(bytes: Uint8Array, start: number, end: number): number {
  return start < end ? (bytes[start] as number) : 0xff
}

/**
 * Decodes the simple value in the bytes from `start` to `end` (exclusive).
 *
 * @throws RangeError if the bytes are not a simple value
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
