/**
 * JSON for every value that structured clone can carry. A part without a form in JSON becomes an object with one `$` key, e.g.
 * `{"$bigint":"12"}`. A user's object with a `$` key is wrapped in `{"$object":…}`, so that the output is unambiguous.
 *
 * An object that occurs in several places is written in each place, so a value of a few hundred bytes may have billions of characters. Therefore the
 * characters are counted while they are written.
 */
import { JsonTooLargeError } from '../../common/errors.ts'

/** The default limit of characters in a text. */
export const MOST_JSON = 2 ** 28
/** The limit of nested objects. The call stack is finite, and readers of JSON also limit the nesting. */
const MOST_LEVELS = 1_000
/** The number of characters in a piece of the text that is passed to the caller. */
const PIECE = 2 ** 16
/** After this number of characters, the whole value is estimated, so that a value far above the limit is refused before the limit is reached. */
const LARGE = 2 ** 20
/** The number of bytes that are encoded in base64 at a time. It is a multiple of 3, so that no padding is needed. */
const BASE64_BYTES = 3 * 2 ** 14
/** The number of characters of `{"$hole":true}`. The text of an element that is `undefined` is longer. */
const LEAST_UNDEFINED = 14

/** Makes the writer write an object as it is, without a tag. */
class Fields {
  readonly of: object

  constructor(of: object) {
    this.of = of
  }
}

/** Makes the writer write an iterable as a JSON array, for example the items of a Set. */
class Items {
  readonly of: Iterable<unknown>

  constructor(of: Iterable<unknown>) {
    this.of = of
  }
}

class Base64 {
  readonly bytes: Buffer

  constructor(of: ArrayBufferView | ArrayBufferLike) {
    this.bytes = ArrayBuffer.isView(of) ? Buffer.from(of.buffer, of.byteOffset, of.byteLength) : Buffer.from(of)
  }
}

function errorFields({ name, message, stack, cause }: Error): object {
  return { name, message, ...(stack === undefined ? {} : { stack }), ...(cause === undefined ? {} : { cause }) }
}

function* pairsOf(map: Map<unknown, unknown>): Generator<Items> {
  for (const pair of map) yield new Items(pair)
}

/** The tagged fields for an object that is not plain; undefined for a plain object. */
function tagOf(value: object): object | undefined {
  if (value instanceof Uint8Array) return { $bytes: new Base64(value) }
  if (value instanceof DataView) return { $dataView: new Base64(value) }
  if (ArrayBuffer.isView(value)) return { $typedArray: value.constructor.name, base64: new Base64(value) }
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return { $arrayBuffer: new Base64(value) }
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? null : value.toISOString() }
  if (value instanceof RegExp) return { $regexp: value.source, flags: value.flags }
  if (value instanceof Map) return { $map: new Items(pairsOf(value)) }
  if (value instanceof Set) return { $set: new Items(value) }
  if (value instanceof Error) return { $error: new Fields(errorFields(value)) }
  if (isBoxed(value)) return { $boxed: value.valueOf() }
  return undefined
}

function isBoxed(value: object): boolean {
  return value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt
}

/** The values inside an object that are part of its text. */
function partsOf(value: object): Iterable<unknown> {
  if (Array.isArray(value) || value instanceof Set) return value
  if (value instanceof Map) return [...value.keys(), ...value.values()]
  if (ArrayBuffer.isView(value)) return []
  // `Object.values` of a boxed text would give one part for each character.
  return isBoxed(value) ? [value.valueOf()] : Object.values(value)
}

/**
 * A lower bound for the characters of a value's text. The count ends above `most`. Each object is visited only once, but is counted as often as
 * it occurs.
 */
function leastOf(value: unknown, most: number, known: Map<object, number>, levels = 0): number {
  if (typeof value === 'string') return value.length
  if (value === undefined) return LEAST_UNDEFINED
  if (typeof value !== 'object' || value === null || levels > MOST_LEVELS) return 1
  const before = known.get(value)
  if (before !== undefined) return before
  // If the object contains itself, the inner occurrence counts as one character.
  known.set(value, 1)
  // An array can have billions of holes, so its length is counted before the elements are visited.
  const places = Array.isArray(value) ? value.length : 0
  let least = 1 + 2 * places
  if (least <= most) {
    for (const part of partsOf(value)) {
      least += leastOf(part, most, known, levels + 1) + (places > 0 ? -1 : 1)
      if (least > most) break
    }
  }
  known.set(value, least)
  return least
}

class JsonWriter {
  readonly #give: (piece: string) => void
  readonly #most: number
  readonly #indent: string
  readonly #colon: string
  /** The line break and indentation before each item; empty if the text is one line. */
  #line: string
  #text = ''
  #length = 0
  /** The whole value; undefined after the value has been estimated. */
  #whole: unknown
  /** The objects that are not finished yet, with the number of objects around each of them. */
  readonly #open = new Map<object, number>()

  constructor(give: (piece: string) => void, indent: number, most: number) {
    this.#give = give
    this.#most = most
    this.#indent = ' '.repeat(indent)
    this.#colon = indent === 0 ? ':' : ': '
    this.#line = indent === 0 ? '' : '\n'
  }

  write(value: unknown): void {
    this.#whole = value
    this.#value(value)
    this.#give(this.#text)
  }

  #value(value: unknown): void {
    if (typeof value === 'number') this.#number(value)
    else if (typeof value === 'string') this.#string(value)
    else if (typeof value === 'bigint') this.#fields({ $bigint: String(value) })
    else if (value === undefined) this.#fields({ $undefined: true })
    else if (typeof value !== 'object' || value === null) this.#put(String(value))
    else if (value instanceof Fields) this.#fields(value.of)
    else if (value instanceof Items) this.#items(value.of)
    else if (value instanceof Base64) this.#base64(value.bytes)
    else this.#object(value)
  }

  #object(value: object): void {
    const level = this.#open.get(value)
    if (level !== undefined) {
      // A cycle is not written, because it would never end. The number of levels up to the repeated object identifies this object.
      this.#fields({ $circular: this.#open.size - level })
      return
    }
    if (this.#open.size === MOST_LEVELS) throw tooLarge(`is nested more than ${MOST_LEVELS} levels deep`)
    this.#open.set(value, this.#open.size)
    if (Array.isArray(value)) this.#array(value)
    else this.#fields(tagOf(value) ?? plainFields(value))
    this.#open.delete(value)
  }

  #number(value: number): void {
    if (Number.isFinite(value) && !Object.is(value, -0)) this.#put(String(value))
    else this.#fields({ $number: Object.is(value, -0) ? '-0' : String(value) })
  }

  #string(text: string): void {
    if (text.length <= PIECE) {
      this.#put(JSON.stringify(text))
      return
    }
    this.#put('"')
    for (let at = 0, end = PIECE; at < text.length; at = end, end += PIECE) {
      // The two surrogates of a character stay in the same piece.
      if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end += 1
      this.#put(JSON.stringify(text.slice(at, end)).slice(1, -1))
    }
    this.#put('"')
  }

  #base64(bytes: Buffer): void {
    this.#put('"')
    for (let at = 0; at < bytes.length; at += BASE64_BYTES) this.#put(bytes.toString('base64', at, at + BASE64_BYTES))
    this.#put('"')
  }

  #fields(fields: object): void {
    const outer = this.#enter('{')
    let count = 0
    for (const key of Object.keys(fields)) {
      this.#next(count++)
      this.#string(key)
      this.#put(this.#colon)
      this.#value((fields as Record<string, unknown>)[key])
    }
    this.#leave('}', outer, count)
  }

  #items(items: Iterable<unknown>): void {
    const outer = this.#enter('[')
    let count = 0
    for (const item of items) {
      this.#next(count++)
      this.#value(item)
    }
    this.#leave(']', outer, count)
  }

  #array(array: readonly unknown[]): void {
    const outer = this.#enter('[')
    for (let i = 0; i < array.length; i++) {
      this.#next(i)
      const element = array[i]
      if (element === undefined && !(i in array)) this.#fields({ $hole: true })
      else this.#value(element)
    }
    this.#leave(']', outer, array.length)
  }

  /** @returns the line break and indentation that apply outside of the bracket */
  #enter(bracket: string): string {
    const outer = this.#line
    this.#put(bracket)
    this.#line += this.#indent
    return outer
  }

  #next(count: number): void {
    this.#put(count === 0 ? this.#line : `,${this.#line}`)
  }

  #leave(bracket: string, outer: string, count: number): void {
    this.#line = outer
    this.#put(count === 0 ? bracket : outer + bracket)
  }

  #put(text: string): void {
    this.#length += text.length
    if (this.#length > this.#most) throw tooLarge(`has more than ${this.#most} characters`)
    this.#text += text
    if (this.#text.length < PIECE) return
    if (this.#length > LARGE && this.#whole !== undefined) {
      if (leastOf(this.#whole, this.#most, new Map()) > this.#most)
        throw tooLarge(`has more than ${this.#most} characters`)
      this.#whole = undefined
    }
    this.#give(this.#text)
    this.#text = ''
  }
}

function plainFields(value: object): object {
  return Object.keys(value).some(key => key.startsWith('$')) ? { $object: new Fields(value) } : value
}

function tooLarge(what: string): JsonTooLargeError {
  return new JsonTooLargeError(
    `as JSON it ${what} (a value that is held in several places is written in each): let the task's \`finish\` return bytes, or take the value in code, by \`(await client.job(id)).result()\``
  )
}

/**
 * Writes a value as JSON text, piece by piece, with tags for parts without a form in JSON.
 *
 * @throws JsonTooLargeError
 */
export function writeJson(value: unknown, give: (piece: string) => void, { indent = 0, most = MOST_JSON } = {}): void {
  new JsonWriter(give, indent, most).write(value)
}

/** Like {@link writeJson}, but returns the whole text. */
export function toJson(value: unknown, indent?: number, most?: number): string {
  const pieces: string[] = []
  writeJson(value, piece => pieces.push(piece), { indent, most })
  return pieces.join('')
}

/** The bytes of a result that is sent unchanged; undefined for any other result, because any other result is sent as JSON. */
export function rawBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}
