import * as lp from 'it-length-prefixed'
import * as varint from 'uint8-varint'
import { Uint8ArrayList } from 'uint8arraylist'
import { concat } from 'uint8arrays/concat'
import { InvalidMessageError } from '../../common/errors.ts'

/** The size of the largest frame on the wire, in bytes. The size includes the flags byte, but not the length prefix. */
export const MAX_FRAME_BYTES = 64 * 1024

/** The bytes that each frame takes in every window in addition to its payload. This overhead bounds the number of tiny messages in flight. */
export const FRAME_OVERHEAD = 32

/** The smallest payload of a frame that is not the last frame of its message. The receiver needs much more memory than the payload for a tiny frame. */
export const MIN_PART_BYTES = 8 * 1024

/** The bits of a frame's first byte. */
export const FrameFlag = {
  /** This frame is the last (or only) frame of its message. */
  last: 0x01,
  /** The frame carries counters instead of a message. */
  ack: 0x02,
  /** The sender gave up a message after it had sent some frames of the message. The receiver drops these frames. */
  drop: 0x04,
  /** The receiver acknowledges this frame as soon as it arrives. */
  request: 0x08
} as const

const KNOWN_FLAGS = FrameFlag.last | FrameFlag.ack | FrameFlag.drop | FrameFlag.request

/** Cumulative counters of one direction of a channel. Each frame counts as its payload plus {@link FRAME_OVERHEAD}. */
export interface Ack {
  /** The bytes that the receiver has read from the stream. These bytes no longer occupy the connection. */
  received: number
  /** The bytes that no longer occupy the receiver: handled messages, and the released frames of a partial message. */
  consumed: number
}

export type Frame =
  | { type: 'data'; last: boolean; request: boolean; payload: Uint8ArrayList }
  | { type: 'drop' }
  | { type: 'ack'; ack: Ack }

export function encodeFrame(flags: number, payload: Uint8Array): Uint8ArrayList {
  return lp.encode.single(new Uint8ArrayList(Uint8Array.of(flags), payload))
}

export function encodeAck({ received, consumed }: Ack): Uint8ArrayList {
  return encodeFrame(FrameFlag.ack, concat([varint.encode(received), varint.encode(consumed)]))
}

/** @throws InvalidMessageError */
export function decodeFrame(frame: Uint8ArrayList): Frame {
  if (frame.byteLength === 0) throw new InvalidMessageError('an empty frame')
  const flags = frame.get(0)
  if ((flags & ~KNOWN_FLAGS) !== 0) throw new InvalidMessageError(`unknown frame flags 0x${flags.toString(16)}`)
  if ((flags & FrameFlag.ack) !== 0) return { type: 'ack', ack: decodeAck(frame.subarray(1)) }
  if ((flags & FrameFlag.drop) !== 0) return { type: 'drop' }
  return {
    type: 'data',
    last: (flags & FrameFlag.last) !== 0,
    request: (flags & FrameFlag.request) !== 0,
    payload: frame.sublist(1)
  }
}

function decodeAck(bytes: Uint8Array): Ack {
  try {
    const received = varint.decode(bytes)
    const consumed = varint.decode(bytes, varint.encodingLength(received))
    if (consumed > received || !Number.isSafeInteger(received)) throw new RangeError('counters out of range')
    return { received, consumed }
  } catch (cause) {
    throw new InvalidMessageError('a malformed acknowledgement', { cause })
  }
}
