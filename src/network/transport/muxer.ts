import type { StreamMuxerFactory } from '@libp2p/interface'
import { yamux } from '@libp2p/yamux'
import type { Uint8ArrayList } from 'uint8arraylist'

/** The layout of a frame's header (yamux specification): version, type, flags (2 bytes), stream (4), length (4). */
const HEADER_BYTES = 12
const TYPE = 1
const FLAGS = 2
const STREAM = 4
const LENGTH = 8
const WINDOW_UPDATE = 1

/** The smallest number of bytes in a window update: a sixteenth of the specification's smallest window (256 KiB). */
const STEP = 16 * 1024
/** The number of streams with unreported bytes above which the muxer forgets closed streams. */
const MANY = 64

/** The size (bytes) of the largest frame that is sent in one piece. The limit is the size of a TLS record (RFC 8446 §5.1). */
const JOINED = 16 * 1024

/**
 * Returns a yamux muxer that is efficient for small messages. @libp2p/yamux answers each data frame with a window update, and @libp2p/tls makes a record, and
 * often a packet, of each part of a frame. This muxer collects window updates and joins the parts of a small frame, so that a message takes one packet
 * instead of four.
 */
export function frugalYamux(init: Parameters<typeof yamux>[0]): () => StreamMuxerFactory {
  return () => {
    const inner = yamux(init)()
    return {
      protocol: inner.protocol,
      createStreamMuxer(connection) {
        const muxer = inner.createStreamMuxer(connection)
        const owed = new Map<number, number>()
        const send = muxer.send.bind(muxer)
        // yamux sends each frame in one call: a data frame as a Uint8ArrayList, and a header without data as a Uint8Array.
        muxer.send = frame => {
          if (!isPlainUpdate(frame)) return send(frame.byteLength <= JOINED ? frame.subarray() : frame)
          const header = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
          const stream = header.getUint32(STREAM)
          const total = (owed.get(stream) ?? 0) + header.getUint32(LENGTH)
          if (total >= STEP) {
            owed.delete(stream)
            header.setUint32(LENGTH, total)
            return send(frame)
          }
          owed.set(stream, total)
          if (owed.size > MANY) keepOnly(owed, new Set(muxer.streams.map(({ streamId }) => streamId)))
          return true
        }
        return muxer
      }
    }
  }
}

/** Whether a frame is a window update without flags. A window update with flags also opens, accepts or ends a stream. */
function isPlainUpdate(frame: Uint8Array | Uint8ArrayList): frame is Uint8Array {
  return (
    frame instanceof Uint8Array &&
    frame.byteLength === HEADER_BYTES &&
    frame[TYPE] === WINDOW_UPDATE &&
    frame[FLAGS] === 0 &&
    frame[FLAGS + 1] === 0
  )
}

function keepOnly(owed: Map<number, number>, streams: ReadonlySet<number>): void {
  for (const stream of owed.keys()) if (!streams.has(stream)) owed.delete(stream)
}
