import type { Stream, StreamCloseEvent, StreamMessageEvent } from '@libp2p/interface'
import type { Uint8ArrayList } from 'uint8arraylist'

export interface FramesOptions {
  /** Pause the stream when this many bytes wait to be read. @default 1 MiB */
  highWaterMark?: number
  /** Resume it when no more than this many wait. @default 256 KiB */
  lowWaterMark?: number
}

/**
 * What arrives on a libp2p stream, as an async iterable with backpressure. libp2p's own iterator queues without bound;
 * this one pauses the stream (so that yamux stops granting window to the sender) while its reader is behind.
 *
 * Ends when the other side closed its writing end; throws when the stream was reset or aborted.
 */
export async function* frames(
  stream: Stream,
  options: FramesOptions = {}
): AsyncGenerator<Uint8Array | Uint8ArrayList> {
  const highWaterMark = options.highWaterMark ?? 1024 * 1024
  const lowWaterMark = options.lowWaterMark ?? 256 * 1024
  let arrived: (Uint8Array | Uint8ArrayList)[] = []
  let waiting = 0
  let ended = stream.readableEnded
  let failure: Error | undefined
  let wake: (() => void) | undefined

  const onMessage = (event: StreamMessageEvent) => {
    arrived.push(event.data)
    waiting += event.data.byteLength
    if (waiting > highWaterMark && stream.readStatus === 'readable') stream.pause()
    wake?.()
  }
  const onEnd = () => {
    ended = true
    wake?.()
  }
  const onClose = (event: StreamCloseEvent) => {
    failure = event.error
    // A paused stream still holds data after a clean close: 'end' follows once that is read.
    if (event.error !== undefined || stream.readBufferLength === 0) ended = true
    wake?.()
  }
  const resume = () => {
    if (stream.readStatus !== 'paused') return
    try {
      stream.resume()
    } catch (error) {
      // Resuming sends a window update, which fails when the connection has just gone; what was buffered was read.
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
        if (waiting <= lowWaterMark) resume()
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
