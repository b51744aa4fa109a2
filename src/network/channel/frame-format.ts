import * as lp from 'it-length-prefixed'
import * as varint from 'uint8-varint'
import { Uint8ArrayList } from 'uint8arraylist'
import { concat } from 'uint8arrays/concat'
import { InvalidMessageError } from '../../common/errors.ts'

/** The largest frame on the wire, its flags byte included, its length prefix not. */
export const MAX_FRAME_BYTES = 64 * 1024

/** What a frame counts beyond its payload in every window. It bounds the number of tiny messages in flight, each of which costs the receiver memory. */
export const FRAME_OVERHEAD = 32

/** The least payload of a frame that is not the last of its message: a message of one-byte frames would cost its receiver many times its size. */
export const MIN_PART_BYTES = 8 * 1024

/** The bits of a frame's first byte. */
export const FrameFlag = {
  /** The last (or only) frame of a message. */
  last: 0x01,
  /** Carries counters instead of a message. */
  ack: 0x02,
  /** The sender gave up a message after some of its frames; the receiver forgets them. */
  drop: 0x04,
  /** Acknowledge this frame as soon as it is received. */
  request: 0x08
} as const

const KNOWN_FLAGS = FrameFlag.last | FrameFlag.ack | FrameFlag.drop | FrameFlag.request

/** Cumulative counters of one direction of a channel, each frame counted as its payload plus {@link FRAME_OVERHEAD}. */
export interface Ack {
  /** Read off the stream: it no longer occupies the connection. */
  received: number
  /** Handled (or, of a message that is not whole yet, put together): it no longer occupies the receiver. */
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
