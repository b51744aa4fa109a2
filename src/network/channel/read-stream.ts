import type { Stream, StreamCloseEvent, StreamMessageEvent } from '@libp2p/interface'
import type { Uint8ArrayList } from 'uint8arraylist'

/** The number of unread bytes above which the stream is paused. */
const HIGH_WATER_MARK = 1024 * 1024
/** The number of unread bytes at which a paused stream is resumed. */
const LOW_WATER_MARK = 256 * 1024

/**
 * Reads a libp2p stream with backpressure. libp2p's own iterator has an unbounded queue. This iterator pauses the stream while the
 * reader is behind, so that yamux grants the sender no further window.
 *
 * The iterator ends when the other side closes its writing end, and throws when the stream is reset or aborted.
 */
export async function* readStream(stream: Stream): AsyncGenerator<Uint8Array | Uint8ArrayList> {
  let arrived: (Uint8Array | Uint8ArrayList)[] = []
  let waiting = 0
  let ended = stream.readableEnded
  let failure: Error | undefined
  let wake: (() => void) | undefined

  const onMessage = (event: StreamMessageEvent) => {
    arrived.push(event.data)
    waiting += event.data.byteLength
    if (waiting > HIGH_WATER_MARK && stream.readStatus === 'readable') stream.pause()
    wake?.()
  }
  const onEnd = () => {
    ended = true
    wake?.()
  }
  const onClose = (event: StreamCloseEvent) => {
    failure = event.error
    // A paused stream may have unread data after a clean close. The event 'end' follows when the data has been read.
    if (event.error !== undefined || stream.readBufferLength === 0) ended = true
    wake?.()
  }
  const resume = () => {
    if (stream.readStatus !== 'paused') return
    try {
      stream.resume()
    } catch (error) {
      // To resume, libp2p sends a window update. The update fails if the connection has just closed. The buffered data has been read by then.
      failure ??= error instanceof Error ? error : new Error(String(error))
      ended = true
    }
  }

  stream.addEventListener('end', onEnd)
  stream.addEventListener('close', onClose)
  stream.addEventListener('message', onMessage)
  try {
    for (;;) {
      const batch = arrived
      arrived = []
      for (const data of batch) {
        yield data
        waiting -= data.byteLength
        if (waiting <= LOW_WATER_MARK) resume()
      }
      if (arrived.length > 0) continue
      if (failure !== undefined) throw failure
      if (ended) return
      await new Promise<void>(resolve => {
        wake = resolve
      })
      wake = undefined
    }
  } finally {
    stream.removeEventListener('end', onEnd)
    stream.removeEventListener('close', onClose)
    stream.removeEventListener('message', onMessage)
  }
}
