/**
 * The bytes of a log: frames, which set or delete a key, and commit marks. Each mark ends a batch of frames.
 *
 * A frame begins with a header of 16 bytes: the CRC-32 of the rest of the header and of the key, the kind and the length of the key (one byte and
 * three), the length of the value, and the CRC-32 of the value. Key and value follow. Numbers are little-endian. The value of a mark is its sequence
 * number.
 *
 * Each mark is written twice, so that a single damaged byte cannot undo a batch: only bytes behind the last mark are torn.
 */
import { crc32 } from 'node:zlib'

const HEADER_BYTES = 16
/** The longest key, in bytes. */
const LONGEST_KEY = 2 ** 24 - 1
const SET = 1
const DELETE = 2
const MARK = 3
const MARK_VALUE_BYTES = 8
/** The value of a longer frame is checked when it is read, and not when a log is opened: header and key have a checksum of their own. */
const CHECKED_AT_ONCE = 4_096
const MARK_BYTES = HEADER_BYTES + MARK_VALUE_BYTES

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const NONE = new Uint8Array()

const MAGIC = encoder.encode('p2p-worker log\n')
const VERSION = 1
/** The bytes with which a segment begins: a name, the version of the format, and the CRC-32 of both. */
export const BEGIN = beginning(VERSION)

function beginning(version: number): Uint8Array {
  const bytes = new Uint8Array([...MAGIC, version, 0, 0, 0, 0])
  new DataView(bytes.buffer).setUint32(MAGIC.byteLength + 1, crc32(bytes.subarray(0, MAGIC.byteLength + 1)), true)
  return bytes
}

/**
 * Whether a segment begins as it should. If not, its beginning is damaged.
 *
 * @throws LogVersionError if a newer version wrote the segment
 */
export function beginsWell(segment: Uint8Array): boolean {
  const version = segment[MAGIC.byteLength] ?? VERSION
  const isWhole = Buffer.compare(beginning(version), segment.subarray(0, BEGIN.byteLength)) === 0
  if (isWhole && version > VERSION) throw new LogVersionError(version)
  return isWhole
}

/** A newer version of this program wrote the log. */
export class LogVersionError extends Error {
  override readonly name = 'LogVersionError'

  constructor(version: number) {
    super(`its format has the version ${version}, and this program knows versions up to ${VERSION}`)
  }
}

/** A change of one key. Without a value the key is deleted. */
export interface Change {
  key: string
  value: Uint8Array | undefined
}

/** Where a value is in a segment of the log. */
export interface Place {
  /** Where the frame begins, and how long it is, in bytes. */
  offset: number
  bytes: number
}

/** A frame that was read. */
export interface Found extends Place {
  key: string
  isDeleted: boolean
}

/** What a segment holds. */
export interface Scan {
  /** The frames of whole batches, in their order. */
  frames: Found[]
  /** The sequence numbers of the first and the last mark. Undefined without a mark. */
  first: number | undefined
  last: number | undefined
  /** Where the last batch ends. Later bytes are torn. */
  end: number
  /** The number of damaged parts before that end. What they held is lost. */
  damaged: number
}

function header(kind: number, key: Uint8Array, value: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint32(4, kind + key.byteLength * 256, true)
  view.setUint32(8, value.byteLength, true)
  view.setUint32(12, crc32(value), true)
  view.setUint32(0, crc32(key, crc32(bytes.subarray(4))), true)
  return bytes
}

/** Returns the frame of a change in parts, without a copy of the value. */
export function frameOf({ key, value }: Change): Uint8Array[] {
  const name = encoder.encode(key)
  if (name.byteLength > LONGEST_KEY) throw new RangeError(`a key of ${name.byteLength} bytes is too long for the log`)
  const bytes = value ?? NONE
  return [header(value === undefined ? DELETE : SET, name, bytes), name, bytes]
}

/** Returns the mark of a batch, twice. */
export function markOf(sequence: number): Uint8Array {
  const value = new Uint8Array(MARK_VALUE_BYTES)
  new DataView(value.buffer).setBigUint64(0, BigInt(sequence), true)
  const mark = new Uint8Array(2 * MARK_BYTES)
  for (const at of [0, MARK_BYTES]) {
    mark.set(header(MARK, NONE, value), at)
    mark.set(value, at + HEADER_BYTES)
  }
  return mark
}

interface Header {
  kind: number
  keyBytes: number
  /** The length of the whole frame. */
  bytes: number
  /** The CRC-32 of the value. */
  body: number
}

function headerAt(view: DataView, at: number): Header | undefined {
  if (at + HEADER_BYTES > view.byteLength) return undefined
  const keyBytes = view.getUint32(at + 4, true) >>> 8
  if (at + HEADER_BYTES + keyBytes > view.byteLength) return undefined
  const rest = new Uint8Array(view.buffer, view.byteOffset + at + 4, HEADER_BYTES - 4 + keyBytes)
  if (view.getUint32(at, true) !== crc32(rest)) return undefined
  const bytes = HEADER_BYTES + keyBytes + view.getUint32(at + 8, true)
  return { kind: view.getUint8(at + 4), keyBytes, bytes, body: view.getUint32(at + 12, true) }
}

/** Returns where the next header of a mark is after a damaged header, whose length cannot be trusted. */
function nextMark(view: DataView, after: number): number | undefined {
  for (let at = after + 1; at + MARK_BYTES <= view.byteLength; at++) {
    const mayBe = view.getUint32(at + 4, true) === MARK && view.getUint32(at + 8, true) === MARK_VALUE_BYTES
    if (mayBe && headerAt(view, at) !== undefined) return at
  }
  return undefined
}

/** Reads the frames of a segment from `from` on. {@link valueIn} checks the values of long ones. */
export function scan(bytes: Uint8Array, from: number): Scan {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: Scan = { frames: [], first: undefined, last: undefined, end: from, damaged: 0 }
  let batch: Found[] = []
  let damaged = 0
  let at = from
  for (;;) {
    const head = headerAt(view, at)
    if (head === undefined) {
      const next = nextMark(view, at)
      if (next === undefined) return found
      damaged += 1
      at = next
      continue
    }
    const end = at + head.bytes
    if (end > bytes.byteLength) return found
    const value = at + HEADER_BYTES + head.keyBytes
    const isWhole = head.bytes > CHECKED_AT_ONCE || crc32(bytes.subarray(value, end)) === head.body
    if (head.kind !== MARK) {
      const isDeleted = head.kind === DELETE
      const key = decoder.decode(bytes.subarray(at + HEADER_BYTES, value))
      if (isWhole) batch.push({ key, isDeleted, offset: at, bytes: head.bytes })
      else damaged += 1
    } else if (isWhole) {
      const sequence = Number(view.getBigUint64(at + HEADER_BYTES, true))
      if (sequence !== found.last) {
        // A batch is missing before this one.
        if (found.last !== undefined && sequence !== found.last + 1) damaged += 1
        for (const frame of batch) found.frames.push(frame)
        found.damaged += damaged
        found.first ??= sequence
        found.last = sequence
        batch = []
        damaged = 0
      }
      found.end = end
    }
    at = end
  }
}

/** Returns the value of a frame that was read. Undefined if the frame is damaged. */
export function valueIn(frame: Uint8Array): Uint8Array | undefined {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const head = headerAt(view, 0)
  if (head === undefined || head.bytes !== frame.byteLength) return undefined
  const value = frame.subarray(HEADER_BYTES + head.keyBytes)
  return crc32(value) === head.body ? value : undefined
}
