/** Many encoded values in one buffer. A pack needs only one message and one transfer, and the reader gets views instead of copies. */
import { InvalidMessageError } from '../../common/errors.ts'

export interface Pack {
  /** The size of each value in bytes, in order. */
  lengths: Uint32Array
  /** The values, one after the other. */
  bytes: Uint8Array
}

/** A pack whose buffers contain nothing else, so that the buffers may be transferred. */
export interface OwnPack extends Pack {
  lengths: Uint32Array<ArrayBuffer>
  bytes: Uint8Array<ArrayBuffer>
}

/** Values by chunk index. */
export interface IndexedPack extends Pack {
  /** The index of each value, in the order of the values. */
  indices: readonly number[]
}

export const NOTHING_PACKED: IndexedPack = { indices: [], lengths: new Uint32Array(), bytes: new Uint8Array() }

/** One value of an {@link IndexedPack}. */
export interface IndexedValue {
  index: number
  bytes: Uint8Array
}

/** Copies the parts into a new buffer, which may be transferred while the parts are kept. */
export function pack(parts: readonly Uint8Array[]): OwnPack {
  const lengths = new Uint32Array(parts.length)
  let total = 0
  for (let i = 0; i < parts.length; i++) {
    const length = (parts[i] as Uint8Array).byteLength
    lengths[i] = length
    total += length
  }
  const bytes = new Uint8Array(total)
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.byteLength
  }
  return { lengths, bytes }
}

/** Returns the bytes in a buffer that contains nothing else and may be transferred. The bytes are copied only if their buffer contains other bytes. */
export function ownBytes(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  // A Buffer becomes a Uint8Array in a transfer, so this function always returns a Uint8Array.
  return bytes.byteLength === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes)
}

/** The values of a pack, as views on its bytes. */
export function unpack({ lengths, bytes }: Pack): Uint8Array[] {
  const parts: Uint8Array[] = new Array(lengths.length)
  let offset = 0
  for (let i = 0; i < lengths.length; i++) {
    const end = offset + (lengths[i] as number)
    parts[i] = bytes.subarray(offset, end)
    offset = end
  }
  return parts
}

/** The values `from` to `to` (exclusive), as views on the same bytes. */
export function slicePack({ lengths, bytes }: Pack, from: number, to: number): Pack {
  let start = 0
  for (let i = 0; i < from; i++) start += lengths[i] as number
  let end = start
  for (let i = from; i < to; i++) end += lengths[i] as number
  return { lengths: lengths.subarray(from, to), bytes: bytes.subarray(start, end) }
}

/** Joins packs in order; a single pack is returned unchanged. */
export function concatPacks(packs: readonly Pack[]): Pack {
  if (packs.length === 1) return packs[0] as Pack
  const { bytes } = pack(packs.map(each => each.bytes))
  const lengths = new Uint32Array(packs.reduce((sum, each) => sum + each.lengths.length, 0))
  let offset = 0
  for (const each of packs) {
    lengths.set(each.lengths, offset)
    offset += each.lengths.length
  }
  return { lengths, bytes }
}

/**
 * Validates a pack from the network.
 *
 * @throws InvalidMessageError if the lengths do not add up to the size of `bytes`
 */
export function checkedPack(lengths: ArrayLike<number>, bytes: Uint8Array): Pack {
  let total = 0
  for (let i = 0; i < lengths.length; i++) {
    const length = lengths[i] as number
    if (!Number.isSafeInteger(length) || length < 0) throw new InvalidMessageError(`a value of ${length} bytes`)
    total += length
  }
  if (total !== bytes.byteLength) {
    throw new InvalidMessageError(`values of ${total} bytes in a pack of ${bytes.byteLength}`)
  }
  return { lengths: Uint32Array.from(lengths), bytes }
}

/** Packs values with their indices. */
export function packIndexed(values: readonly IndexedValue[]): IndexedPack & OwnPack {
  return { indices: values.map(({ index }) => index), ...pack(values.map(({ bytes }) => bytes)) }
}

/** The values of a pack one by one, as views on its bytes. */
export function unpackIndexed({ indices, ...values }: IndexedPack): IndexedValue[] {
  return unpack(values).map((bytes, i) => ({ index: indices[i] as number, bytes }))
}

/** The values at the positions `from` to `to` (exclusive), as views on the same bytes. */
export function sliceIndexed(values: IndexedPack, from: number, to: number): IndexedPack {
  if (from === 0 && to >= values.indices.length) return values
  return { indices: values.indices.slice(from, to), ...slicePack(values, from, to) }
}

/** Joins packs in order; a single pack is returned unchanged. */
export function concatIndexed(packs: readonly IndexedPack[]): IndexedPack {
  if (packs.length === 1) return packs[0] as IndexedPack
  return { indices: packs.flatMap(({ indices }) => indices as number[]), ...concatPacks(packs) }
}

/** Keeps the values for which `passes` returns true. */
export function filterIndexed(values: IndexedPack, passes: (index: number, position: number) => boolean): IndexedPack {
  const kept = unpackIndexed(values).filter(({ index }, position) => passes(index, position))
  return kept.length === values.indices.length ? values : packIndexed(kept)
}
