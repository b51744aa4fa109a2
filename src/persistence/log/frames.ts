/**
 * The bytes of a log: frames, which set or delete a key, and commit marks. Each mark ends a batch of frames.
 *
 * A frame begins with a header of 16 bytes: the CRC-32 of the rest of the header and of the key, the kind and the length of the key (one byte and
 * three), the length of the value, and the CRC-32 of the value. Key and value follow. Numbers are little-endian. The value of a mark is its sequence
 * number and the id of the log.
 *
 * Each mark is written twice, so that a single damaged byte cannot undo a batch: only bytes behind the last mark are torn. After a damaged header the
 * next mark is searched for, unless the header is that of the second copy of a mark. A client does not know the id, so its bytes inside a value never
 * pass for a mark.
 */
import { crc32 } from 'node:zlib'

const HEADER_BYTES = 16
/** The longest key, in bytes. */
const LONGEST_KEY = 2 ** 24 - 1
const SET = 1
const DELETE = 2
const MARK = 3
const SEQUENCE_BYTES = 8
/** The length of the random id of a log. */
export const ID_BYTES = 8
/** The value of a longer frame is checked when it is read, and not when a log is opened: header and key have a checksum of their own. */
const CHECKED_AT_ONCE = 4_096
const MARK_BYTES = HEADER_BYTES + SEQUENCE_BYTES + ID_BYTES
/** Version 1 of the format had no id. */
const OLD_MARK_BYTES = HEADER_BYTES + SEQUENCE_BYTES

/** The bytes of a mark that tell its kind and the length of its key. They follow the first checksum. */
const KIND = Uint8Array.of(MARK, 0, 0, 0)
/** The number of bytes in which a mark is searched at a time. */
const SEARCHED = 64 * 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const NONE = new Uint8Array()

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

/** The bytes of a segment, in memory or on disk. */
export interface SegmentBytes {
  readonly byteLength: number
  /** Returns the bytes in this range, or fewer at the end. They are valid until the next call. */
  subarray(from: number, to: number): Uint8Array
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
  /** Where the damaged parts before that end are. What they held is lost. */
  damagedAt: number[]
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
export function markOf(sequence: number, id: Uint8Array): Uint8Array {
  const value = new Uint8Array(SEQUENCE_BYTES + ID_BYTES)
  new DataView(value.buffer).setBigUint64(0, BigInt(sequence), true)
  value.set(id, SEQUENCE_BYTES)
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

function headerAt(bytes: SegmentBytes, at: number): Header | undefined {
  if (at + HEADER_BYTES > bytes.byteLength) return undefined
  const view = viewOf(bytes.subarray(at, at + HEADER_BYTES))
  const [sum, keyBytes] = [view.getUint32(0, true), view.getUint32(4, true) >>> 8]
  const head = { kind: view.getUint8(4), keyBytes, body: view.getUint32(12, true) }
  const frameBytes = HEADER_BYTES + keyBytes + view.getUint32(8, true)
  const end = at + HEADER_BYTES + keyBytes
  if (end > bytes.byteLength || sum !== crc32(bytes.subarray(at + 4, end))) return undefined
  return { ...head, bytes: frameBytes }
}

interface Mark {
  sequence: number
  /** Undefined in version 1 of the format. */
  id: Uint8Array | undefined
}

function markAt(bytes: SegmentBytes, at: number, head = headerAt(bytes, at)): Mark | undefined {
  const isMark = head?.bytes === MARK_BYTES || head?.bytes === OLD_MARK_BYTES
  if (!isMark || head.kind !== MARK || head.keyBytes > 0 || at + head.bytes > bytes.byteLength) return undefined
  const value = bytes.subarray(at + HEADER_BYTES, at + head.bytes)
  if (crc32(value) !== head.body) return undefined
  const id = head.bytes === MARK_BYTES ? value.slice(SEQUENCE_BYTES) : undefined
  return { sequence: Number(viewOf(value).getBigUint64(0, true)), id }
}

function isOf(id: Uint8Array | undefined, mark: Mark | undefined): mark is Mark {
  return mark !== undefined && Buffer.compare(mark.id ?? NONE, id ?? NONE) === 0
}

/** Returns where the next mark is after a damaged header, whose length cannot be trusted. */
function nextMark(bytes: SegmentBytes, after: number, id: Uint8Array | undefined): number | undefined {
  for (let from = after + 1; from + OLD_MARK_BYTES <= bytes.byteLength; from += SEARCHED) {
    const some = bytes.subarray(from, from + SEARCHED + KIND.byteLength + 4).slice()
    let found = some.indexOf(MARK, 4)
    for (; found !== -1 && found < SEARCHED + 4; found = some.indexOf(MARK, found + 1)) {
      const isKind = KIND.every((byte, i) => some[found + i] === byte)
      const at = from + found - 4
      if (isKind && isOf(id, markAt(bytes, at))) return at
    }
  }
  return undefined
}

/** Whether a copy of the mark before is here, with damage in fewer bytes of its id than a client could guess. */
function isDamagedCopy(bytes: SegmentBytes, at: number, markBytes: number): boolean {
  const both = bytes.subarray(at - markBytes, at + markBytes)
  const copy = both.subarray(markBytes)
  return copy.byteLength === markBytes && copy.filter((byte, i) => byte !== both[i]).byteLength <= ID_BYTES / 2
}

/** Returns the first mark that is whole, of any log. */
export function firstMark(bytes: Uint8Array): Mark | undefined {
  for (let at = 0; at < bytes.byteLength; at++) {
    const mark = markAt(bytes, at)
    if (mark !== undefined) return mark
  }
  return undefined
}

/**
 * Reads the frames of a segment from `from` on. {@link valueIn} checks the values of long ones.
 *
 * @param id - the id of the log. Undefined in version 1 of the format.
 */
export function scan(bytes: SegmentBytes, from: number, id: Uint8Array | undefined): Scan {
  const found: Scan = { frames: [], first: undefined, last: undefined, end: from, damagedAt: [] }
  let batch: Found[] = []
  let damagedAt: number[] = []
  const markBytes = id === undefined ? OLD_MARK_BYTES : MARK_BYTES
  let at = from
  for (;;) {
    const head = headerAt(bytes, at)
    if (head === undefined) {
      const isCopy = at === found.end && found.last !== undefined && isDamagedCopy(bytes, at, markBytes)
      const next = isCopy ? at + markBytes : nextMark(bytes, at, id)
      if (next === undefined) return found
      damagedAt.push(at)
      at = next
      continue
    }
    const end = at + head.bytes
    if (end > bytes.byteLength) return found
    if (head.kind !== MARK) {
      const value = at + HEADER_BYTES + head.keyBytes
      const isDeleted = head.kind === DELETE
      const key = decoder.decode(bytes.subarray(at + HEADER_BYTES, value))
      const isWhole = head.bytes > CHECKED_AT_ONCE || crc32(bytes.subarray(value, end)) === head.body
      if (isWhole) batch.push({ key, isDeleted, offset: at, bytes: head.bytes })
      else damagedAt.push(at)
    }
    const mark = markAt(bytes, at, head)
    if (isOf(id, mark)) {
      const { sequence } = mark
      if (sequence !== found.last) {
        // A batch is missing before this one.
        if (found.last !== undefined && sequence !== found.last + 1) damagedAt.push(at)
        for (const frame of batch) found.frames.push(frame)
        found.damagedAt = found.damagedAt.concat(damagedAt)
        found.first ??= sequence
        found.last = sequence
        batch = []
        damagedAt = []
      }
      found.end = end
    } else if (head.kind === MARK) damagedAt.push(at)
    at = end
  }
}

/** Returns the value of a frame that was read. Undefined if the frame is damaged. */
export function valueIn(frame: Uint8Array): Uint8Array | undefined {
  const head = headerAt(frame, 0)
  if (head === undefined || head.bytes !== frame.byteLength) return undefined
  const value = frame.subarray(HEADER_BYTES + head.keyBytes)
  return crc32(value) === head.body ? value : undefined
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
