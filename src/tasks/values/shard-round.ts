/**
 * The chunks of an iteration. On the wire, a chunk is a reference: the SHA-256 of the encoded state of its round, and the SHA-256 of its encoded
 * shard. The worker that runs the chunk appends both values to the reference.
 */
import { InvalidMessageError } from '../../common/errors.ts'

// The first byte of a chunk of an iteration. Neither structured clone nor a simple value begins with one of these bytes.
const SHARD_ROUND = 0x80
const WITH_VALUES = 0x81

const HASH_BYTES = 32
const HEAD_BYTES = 1 + 8 + 8
const SHARD_ROUND_BYTES = HEAD_BYTES + 2 * HASH_BYTES
const LENGTH_BYTES = 8

export interface ShardRound {
  round: number
  /** The index of the shard. */
  shard: number
  /** The SHA-256 of the encoded state, in hex; `data` is the SHA-256 of the encoded shard. */
  state: string
  data: string
}

/** A reference with the encoded values that it names. The values are views on the bytes of the chunk. */
export interface RoundChunk {
  round: number
  shard: number
  state: Uint8Array
  data: Uint8Array
}

export function encodeShardRound({ round, shard, state, data }: ShardRound): Uint8Array<ArrayBuffer> {
  const bytes = headed(SHARD_ROUND, round, shard, 2 * HASH_BYTES)
  bytes.set(Buffer.from(state, 'hex'), HEAD_BYTES)
  bytes.set(Buffer.from(data, 'hex'), HEAD_BYTES + HASH_BYTES)
  return bytes
}

/** Decodes a reference. Returns undefined if the bytes are a chunk of another kind. */
export function shardRoundOf(bytes: Uint8Array): ShardRound | undefined {
  if (bytes[0] !== SHARD_ROUND || bytes.byteLength !== SHARD_ROUND_BYTES) return undefined
  const { round, shard } = headOf(bytes)
  const hash = (at: number): string => Buffer.from(bytes.subarray(at, at + HASH_BYTES)).toString('hex')
  return { round, shard, state: hash(HEAD_BYTES), data: hash(HEAD_BYTES + HASH_BYTES) }
}

/** Appends the encoded state and shard to a reference. */
export function withValues(
  { round, shard }: Pick<ShardRound, 'round' | 'shard'>,
  state: Uint8Array,
  data: Uint8Array
): Uint8Array<ArrayBuffer> {
  const bytes = headed(WITH_VALUES, round, shard, LENGTH_BYTES + state.byteLength + data.byteLength)
  new DataView(bytes.buffer).setFloat64(HEAD_BYTES, state.byteLength, true)
  bytes.set(state, HEAD_BYTES + LENGTH_BYTES)
  bytes.set(data, HEAD_BYTES + LENGTH_BYTES + state.byteLength)
  return bytes
}

/** @throws InvalidMessageError if the bytes are not a reference with its values */
export function roundChunkOf(bytes: Uint8Array): RoundChunk {
  const start = HEAD_BYTES + LENGTH_BYTES
  if (bytes[0] === WITH_VALUES && bytes.byteLength >= start) {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(HEAD_BYTES, true)
    const end = start + length
    if (length >= 0 && end <= bytes.byteLength)
      return { ...headOf(bytes), state: bytes.subarray(start, end), data: bytes.subarray(end) }
  }
  throw new InvalidMessageError(`chunk is not of an iteration (${bytes.byteLength} bytes)`)
}

function headed(tag: number, round: number, shard: number, more: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEAD_BYTES + more)
  const view = new DataView(bytes.buffer)
  bytes[0] = tag
  view.setFloat64(1, round, true)
  view.setFloat64(9, shard, true)
  return bytes
}

function headOf(bytes: Uint8Array): { round: number; shard: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return { round: view.getFloat64(1, true), shard: view.getFloat64(9, true) }
}
