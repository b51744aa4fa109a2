/** Changes that a hostile peer makes to the fields of a protobuf message. The result of each change is well-formed, but has a forbidden value. */
import { joined, mutateBytes } from './mutate-bytes.ts'
import type { Random } from './random.ts'

/** The wire types of protobuf fields. */
const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

/** The approximate limit of the size of a repeated field, in bytes. */
const MOST_REPEATED = 60_000

interface Field {
  number: number
  type: number
  start: number
  /** The position at which the field's content starts. For a field of bytes, this is the position after the length. */
  content: number
  end: number
}

const NUMBERS: readonly bigint[] = [
  ...[0n, 1n, 2n, 3n, 127n, 128n, 255n, 16_384n, 16_385n, 65_536n, 65_537n, 2n ** 20n, 2n ** 21n],
  ...[2n ** 31n - 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n],
  // −1 in the encoding of an int64, and a number that is too large for 64 bits.
  ...[2n ** 64n - 1n, 2n ** 70n]
]
const DOUBLES: readonly number[] = [
  ...[0, -0, -1, 1, 0.5, 5e-324, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 8.64e15, 8.65e15, 1e308],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
]
const TEXTS: readonly string[] = [
  ...['', '\0', ' ', 'a', '__proto__', 'constructor', 'toString', '../../etc/passwd', '-1', 'NaN', '1e999', '\ufeff'],
  ...['/ip4/127.0.0.1/tcp/99999', '/ip4/1.2.3.4/tcp/0/ws', '/unix/tmp', '/dns4//tcp/1', '12D3KooW', 'Qm', '\u{1f600}']
]

export function varint(value: bigint): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest >= 128n) {
    bytes.push(Number(rest % 128n) | 128)
    rest /= 128n
  }
  bytes.push(Number(rest))
  return bytes
}

/** Parses the fields of a message. Returns undefined if the bytes are not a message. */
export function fieldsOf(bytes: Uint8Array): Field[] | undefined {
  const fields: Field[] = []
  let at = 0
  const number = (): number => {
    let value = 0
    for (let scale = 1; at < bytes.length && scale < 2 ** 64; scale *= 128) {
      const byte = bytes[at++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
    return Number.NaN
  }
  while (at < bytes.length) {
    const start = at
    const tag = number()
    if (!(tag >= 8 && tag < 2 ** 12)) return undefined
    const [type, field] = [tag % 8, Math.floor(tag / 8)]
    let content = at
    if (type === VARINT) {
      if (Number.isNaN(number())) return undefined
    } else if (type === FIXED64) at += 8
    else if (type === FIXED32) at += 4
    else if (type === BYTES) {
      const length = number()
      content = at
      at += length
    } else return undefined
    if (!(at <= bytes.length)) return undefined
    fields.push({ number: field, type, start, content, end: at })
  }
  return fields
}

function encodeField(number: number, type: number, content: Uint8Array): Uint8Array {
  const tag = varint(BigInt(number * 8 + type))
  const length = type === BYTES ? varint(BigInt(content.length)) : []
  return joined([Uint8Array.from([...tag, ...length]), content])
}

function double(value: number): Uint8Array {
  return new Uint8Array(Float64Array.of(value).buffer)
}

function anyNumber(random: Random): Uint8Array {
  return Uint8Array.from(varint(random.chance(0.2) ? BigInt(random.below(2 ** 31)) : random.pick(NUMBERS)))
}

function anyBytes(was: Uint8Array, random: Random): Uint8Array {
  switch (random.below(8)) {
    case 0:
      return new Uint8Array()
    case 1:
      return new TextEncoder().encode(random.pick(TEXTS))
    case 2:
      return new TextEncoder().encode('x'.repeat(random.pick([33, 65, 129, 257, 1_001, 10_001])))
    case 3:
      return random.bytes(random.pick([1, 16, 31, 32, 33, 63, 64, 65]))
    case 4:
      return joined([was, was])
    case 5:
      // A list of packed numbers is still a list of packed numbers after this change.
      return joined([was, anyNumber(random), ...(random.chance(0.3) ? [anyNumber(random)] : [])])
    case 6:
      return was.slice(0, random.below(was.length + 1))
    default:
      return mutateBytes(was, random)
  }
}

function changed(field: Field, bytes: Uint8Array, random: Random): Uint8Array {
  const { number, type } = field
  const content = bytes.subarray(field.content, field.end)
  const whole = bytes.subarray(field.start, field.end)
  switch (random.below(10)) {
    case 0:
      return new Uint8Array()
    case 1:
      return joined([whole, whole])
    case 2: {
      const most = Math.ceil(MOST_REPEATED / Math.max(1, whole.length))
      return joined(new Array<Uint8Array>(random.chance(0.02) ? most : 2 + random.below(40)).fill(whole))
    }
    case 3: {
      const other = random.pick([VARINT, FIXED64, BYTES, FIXED32])
      if (other === VARINT) return encodeField(number, VARINT, anyNumber(random))
      return encodeField(number, other, other === BYTES ? content : random.bytes(other === FIXED64 ? 8 : 4))
    }
    case 4:
      return encodeField(1 + random.below(30), type, content)
    default:
      if (type === VARINT) return encodeField(number, VARINT, anyNumber(random))
      if (type === FIXED64) return encodeField(number, FIXED64, double(random.pick(DOUBLES)))
      return encodeField(number, type, type === BYTES ? anyBytes(content, random) : random.bytes(4))
  }
}

/** Changes one field at any depth. Bytes that are not a message are changed as bytes. */
export function mutateFields(bytes: Uint8Array, random: Random): Uint8Array {
  const fields = fieldsOf(bytes)
  if (fields === undefined || fields.length === 0) return mutateBytes(bytes, random)
  const field = random.pick(fields)
  const content = bytes.subarray(field.content, field.end)
  const goesDeeper = field.type === BYTES && random.chance(0.6) && (fieldsOf(content)?.length ?? 0) > 0
  const now = goesDeeper
    ? encodeField(field.number, BYTES, mutateFields(content, random))
    : changed(field, bytes, random)
  return joined([bytes.subarray(0, field.start), now, bytes.subarray(field.end)])
}

/** Returns the message unchanged, with changed fields, with changed bytes, or joined with another message. */
export function mutate(bytes: Uint8Array, random: Random, others: readonly Uint8Array[]): Uint8Array {
  const kind = random.next()
  if (kind < 0.15) return bytes
  if (kind < 0.65) {
    let now = mutateFields(bytes, random)
    while (random.chance(0.25)) now = mutateFields(now, random)
    return now
  }
  if (kind < 0.92) return mutateBytes(bytes, random)
  const other = random.pick(others)
  return random.chance(0.5) ? joined([bytes, other]) : mutateFields(joined([bytes, other]), random)
}
