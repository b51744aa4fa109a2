/**
 * Bounds the memory of sparse arrays in an encoded value. Structured clone encodes a sparse array as its length and its elements, and V8
 * allocates the whole length at once: thirteen bytes become 240 MB, and a few hundred bytes can end any process. So this module limits the number
 * of holes in proportion to the size of the value.
 *
 * A cheap scan of the bytes finds the values that may contain a sparse array. Only these values are parsed.
 */

/** The tag of a sparse array. A dense array has at least a byte for each element. */
const SPARSE = 0x61
/** The longest sparse array that V8 allocates at once. V8 stores a longer array as a hash table. */
const LONGEST = 2 ** 25

/** The number of holes that any value may have, and the number of further holes that it may have for each of its bytes. */
const FREE_PLACES = 2 ** 20
const PLACES_A_BYTE = 16

/**
 * Whether a value (structured clone, with its header) has too many holes.
 *
 * @throws RangeError if the value is malformed
 */
export function isTooSparse(bytes: Uint8Array): boolean {
  const most = FREE_PLACES + PLACES_A_BYTE * bytes.byteLength
  return mostPlaces(bytes, most) > most && sparseLengthOf(bytes) > most
}

/**
 * The total length of all sparse arrays in a value.
 *
 * @throws RangeError if the value is malformed
 */
export function sparseLengthOf(bytes: Uint8Array): number {
  return new Walk(bytes).places()
}

/** An upper bound for the holes: every byte sequence that looks like the start of a sparse array counts. The count stops above `enough`. */
function mostPlaces(bytes: Uint8Array, enough: number): number {
  let sum = 0
  for (let at = bytes.indexOf(SPARSE); at >= 0 && sum <= enough; at = bytes.indexOf(SPARSE, at + 1)) {
    let length = 0
    let scale = 1
    let next = at + 1
    while (next < bytes.length && scale <= 2 ** 28) {
      const byte = bytes[next++]!
      length += (byte & 127) * scale
      if (byte < 128) break
      scale *= 128
    }
    // V8 drops digits beyond 32 bits, so after too many digits the length may be any number.
    sum += scale > 2 ** 21 ? LONGEST : length
  }
  return sum
}

// Tags of values (v8/src/objects/value-serializer.cc).
const tag = (text: string): number => text.charCodeAt(0)
const HEADER = 0xff
const PADDING = 0
const ALONE = new Set([...'_0TFyx-'].map(tag))
const VARINT = new Set([...'IU^'].map(tag))
const DOUBLE = new Set([...'NDn'].map(tag))
const BIGINT = new Set([...'Zz'].map(tag))
const TEXT = new Set([...'"cS'].map(tag))
const STRING_OBJECT = tag('s')
const REG_EXP = tag('R')
const BUFFER = tag('B')
const RESIZABLE = tag('~')
const VIEW = tag('V')
const HOST_OBJECT = tag('\\')
const DENSE = tag('A')
const ERROR = tag('r')
/** For the start tag of each composite value: the end tag, and the number of numbers that follow the end tag. */
const PARTS = new Map([
  [tag('o'), { end: tag('{'), numbers: 1 }],
  [SPARSE, { end: tag('@'), numbers: 2 }],
  [DENSE, { end: tag('$'), numbers: 2 }],
  [tag(';'), { end: tag(':'), numbers: 1 }],
  [tag("'"), { end: tag(','), numbers: 1 }],
  [ERROR, { end: tag('.'), numbers: 0 }]
])
/** The tags of the parts of an error: the kind of the error; a string (message or stack); a value (cause). */
const ERROR_KINDS = new Set([...'ERFSTU'].map(tag))
const ERROR_TEXTS = new Set([...'ms'].map(tag))
const ERROR_CAUSE = tag('c')

/** The oldest version of V8's format with these tags; Node.js 20 writes this version. */
const LEAST_VERSION = 15

interface Open {
  end: number
  numbers: number
  /** Whether the next part of an error follows. */
  awaitsPart: boolean
  isError: boolean
}

/** Parses a value without creating the value. The open objects are in a list and not on the call stack, so the depth is unbounded. */
class Walk {
  readonly #bytes: Uint8Array
  readonly #open: Open[] = []
  #at = 0
  #places = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  places(): number {
    if (this.#byte() !== HEADER || this.#varint() < LEAST_VERSION) throw new RangeError('not a value of this version')
    while (this.#at < this.#bytes.length) this.#step()
    return this.#places
  }

  #step(): void {
    const kind = this.#byte()
    if (kind === PADDING) return
    const open = this.#open.at(-1)
    if (open?.awaitsPart === true) this.#errorPart(open, kind)
    else {
      // This value is the cause of the error. After the cause, the next part of the error follows.
      if (open?.isError === true) open.awaitsPart = true
      if (kind === open?.end) this.#end(open)
      else this.#value(kind)
    }
  }

  #end({ numbers }: Open): void {
    for (let i = 0; i < numbers; i++) this.#varint()
    this.#open.pop()
  }

  #errorPart(open: Open, kind: number): void {
    if (kind === open.end) this.#end(open)
    else if (ERROR_TEXTS.has(kind)) this.#text()
    else if (kind === ERROR_CAUSE) open.awaitsPart = false
    else if (!ERROR_KINDS.has(kind)) throw new RangeError('an error with an unknown part')
  }

  #value(kind: number): void {
    if (ALONE.has(kind)) return
    if (VARINT.has(kind)) this.#varint()
    else if (DOUBLE.has(kind)) this.#skip(8)
    else if (BIGINT.has(kind)) this.#skip(Math.floor(this.#varint() / 2))
    else if (TEXT.has(kind) || kind === BUFFER) this.#skip(this.#varint())
    else if (kind === STRING_OBJECT) this.#text()
    else if (kind === REG_EXP) {
      this.#text()
      this.#varint()
    } else if (kind === RESIZABLE) {
      const length = this.#varint()
      this.#varint()
      this.#skip(length)
    } else if (kind === VIEW) {
      this.#skip(1)
      for (let i = 0; i < 3; i++) this.#varint()
    } else if (kind === HOST_OBJECT) {
      // payload.ts defines the format of a host object.
      this.#varint()
      this.#skip(this.#varint())
    } else this.#begin(kind)
  }

  #begin(kind: number): void {
    const parts = PARTS.get(kind)
    if (parts === undefined) throw new RangeError(`a value of an unknown kind (${kind})`)
    if (kind === DENSE || kind === SPARSE) {
      const length = this.#varint()
      if (kind === SPARSE && length <= LONGEST) this.#places += length
    }
    const isError = kind === ERROR
    this.#open.push({ ...parts, isError, awaitsPart: isError })
  }

  #text(): void {
    let kind = this.#byte()
    while (kind === PADDING) kind = this.#byte()
    if (!TEXT.has(kind)) throw new RangeError('no text')
    this.#skip(this.#varint())
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw new RangeError('a value is cut off')
    return byte
  }

  #skip(count: number): void {
    this.#at += count
    if (this.#at > this.#bytes.length) throw new RangeError('a value is cut off')
  }

  /** Reads a number of 32 bits. Like V8, this method drops further bits. */
  #varint(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte()
      if (shift < 32) value |= (byte & 127) << shift
      if (byte < 128) return value >>> 0
    }
  }
}
