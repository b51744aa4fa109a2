import type { Stream } from '@libp2p/interface'
import pDefer, { type DeferredPromise } from 'p-defer'
import { InvalidMessageError } from '../../common/errors.ts'
import { allowManyListeners } from '../../lib/abort.ts'
import { RefusedMessageError } from '../guard/refusals.ts'
import type { Allowance, BulkWindow, FrameSender } from './bulk-window.ts'
import { type Ack, encodeFrame, FRAME_OVERHEAD, FrameFlag, MAX_FRAME_BYTES } from './frame-format.ts'

/** The limit of bytes in flight on one channel: sent, but not consumed by the receiver. The receiver aborts a stream that exceeds the limit. */
export const CHANNEL_WINDOW = 4 * 1024 * 1024

/** A message of at most this many bytes does not wait for bulk data on the same connection. */
const SMALL_MESSAGE = 16 * 1024

/** The number of sent bytes after which the sender requests an acknowledgement. */
const REQUEST_INTERVAL = 32 * 1024

interface Entry extends DeferredPromise<void> {
  bytes: Uint8Array
  offset: number
  signal: AbortSignal | undefined
}

/** Frames in flight. The last of the frames ends at the counter value `end`. */
interface Flight {
  end: number
  allowance: Allowance
  /** The time of sending if the frame requested an acknowledgement. Undefined otherwise. */
  sentAt: number | undefined
}

/** The limits beyond which a reader is too slow. */
export interface SlowReaderLimit {
  /** The limit of bytes that wait for the reader. */
  readonly bytes: number
  /** The time (ms) for which the reader may read nothing while bytes wait for the reader. */
  readonly ms: number
  /** Ends the channel because of a slow reader. */
  onSlow(reason: Error): void
}

/** The sending half of a channel. It splits messages into frames and sends the frames in order, as the windows allow. */
export class Outbox implements FrameSender {
  readonly #stream: Stream
  readonly #window: BulkWindow
  readonly #slowReader: SlowReaderLimit
  readonly #queue: Entry[] = []
  #queuedBytes = 0
  #sent = 0
  #received = 0
  #consumed = 0
  #unrequested = 0
  #flights: Flight[] = []
  #failure: Error | undefined
  #onIdle: (() => void)[] = []
  /** The time at which a frame was last sent or acknowledged. */
  #movedAt = 0
  #watch: NodeJS.Timeout | undefined

  constructor(stream: Stream, window: BulkWindow, slowReader: SlowReaderLimit) {
    this.#stream = stream
    this.#window = window
    this.#slowReader = slowReader
  }

  /** The number of queued and sent bytes that the other side has not consumed. */
  get pendingBytes(): number {
    return this.#failure === undefined ? this.#queuedBytes + this.#sent - this.#consumed : 0
  }

  /** Queues a message. Resolves when all frames of the message are sent. */
  push(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (signal?.aborted === true) return Promise.reject(signal.reason)
    const { bytes: most } = this.#slowReader
    if (this.#queuedBytes + bytes.byteLength > most) {
      this.#giveUp(`more than ${most} bytes wait for it to read`)
      return Promise.reject(this.#failure ?? new Error('the reader is too slow'))
    }
    const entry: Entry = { bytes, offset: 0, signal, ...pDefer<void>() }
    const onAbort = () => this.#withdraw(entry, signal?.reason)
    if (signal !== undefined) allowManyListeners(signal).addEventListener('abort', onAbort, { once: true })
    this.#queue.push(entry)
    this.#queuedBytes += bytes.byteLength
    this.#window.schedule(this)
    if (this.#queue.length > 0 && this.#watch === undefined) this.#watchReader()
    return signal === undefined
      ? entry.promise
      : entry.promise.finally(() => signal.removeEventListener('abort', onAbort))
  }

  /** Starts the periodic check that the other side reads. */
  #watchReader(): void {
    if (this.#failure !== undefined) return
    this.#movedAt = performance.now()
    const { ms } = this.#slowReader
    const look = (): void => {
      this.#watch = undefined
      if (this.#queue.length === 0 || this.#failure !== undefined) return
      const left = this.#movedAt + ms - performance.now()
      if (left > 0) this.#watch = setTimeout(look, left + 1).unref()
      else this.#giveUp(`it has read nothing for ${ms / 1_000} s while messages wait for it`)
    }
    this.#watch = setTimeout(look, ms).unref()
  }

  #giveUp(why: string): void {
    this.#slowReader.onSlow(new RefusedMessageError('slow', `a reader is too slow: ${why}`))
  }

  sendFrame(): 'sent' | 'blocked' | 'idle' {
    const entry = this.#queue[0]
    if (entry === undefined || this.#failure !== undefined) return 'idle'
    if (entry.signal?.aborted === true) {
      // The signal has aborted, but the abort listener has not run yet.
      this.#withdraw(entry, entry.signal.reason)
      return 'sent'
    }
    const small = entry.bytes.byteLength <= SMALL_MESSAGE
    const room = small ? MAX_FRAME_BYTES - 1 : this.#window.frameBytes
    const payload = entry.bytes.subarray(entry.offset, entry.offset + room)
    const cost = payload.byteLength + FRAME_OVERHEAD
    if (this.#sent - this.#consumed + cost > CHANNEL_WINDOW) return 'blocked'
    const allowance = this.#window.take(cost, small)
    if (allowance === undefined) return 'blocked'

    const last = entry.offset + payload.byteLength === entry.bytes.byteLength
    this.#unrequested += cost
    const request = this.#unrequested >= REQUEST_INTERVAL || (allowance === 'bulk' && !this.#window.fits(cost))
    if (request) this.#unrequested = 0
    this.#note(cost, allowance, request)
    entry.offset += payload.byteLength
    this.#queuedBytes -= payload.byteLength
    if (last) this.#queue.shift()
    this.#movedAt = performance.now()
    try {
      // The windows bound libp2p's queue, so the result of `send` (libp2p's backpressure) is ignored.
      this.#stream.send(encodeFrame((last ? FrameFlag.last : 0) | (request ? FrameFlag.request : 0), payload))
    } catch (cause) {
      const failure = cause instanceof Error ? cause : new Error(String(cause))
      entry.reject(failure)
      this.fail(failure)
      return 'idle'
    }
    if (last) {
      entry.resolve()
      if (this.#queue.length === 0) this.#idle()
    }
    return 'sent'
  }

  /** @throws InvalidMessageError */
  onAck(ack: Ack, now: number): void {
    if (ack.received < this.#received || ack.consumed < this.#consumed || ack.received > this.#sent) {
      throw new InvalidMessageError('an acknowledgement of what was never sent')
    }
    if (ack.consumed > this.#consumed || ack.received > this.#received) this.#movedAt = now
    this.#consumed = ack.consumed
    const before = this.#received
    while (this.#flights.length > 0) {
      const flight = this.#flights[0]!
      const upTo = Math.min(flight.end, ack.received)
      this.#window.release(upTo - this.#received, flight.allowance)
      this.#received = upTo
      if (flight.end > ack.received) break
      if (flight.sentAt !== undefined) this.#window.sample(now - flight.sentAt, upTo - before, now)
      this.#flights.shift()
    }
    this.#window.schedule()
  }

  /** Resolves when all queued messages are sent, or the channel has failed. */
  idle(): Promise<void> {
    if (this.#queue.length === 0 || this.#failure !== undefined) return Promise.resolve()
    return new Promise(resolve => this.#onIdle.push(resolve))
  }

  /** Ends the sending half. Rejects unsent messages with `failure`, and returns the bytes in flight to the window. */
  fail(failure: Error): void {
    if (this.#failure !== undefined) return
    this.#failure = failure
    clearTimeout(this.#watch)
    for (const flight of this.#flights) {
      this.#window.release(flight.end - this.#received, flight.allowance)
      this.#received = flight.end
    }
    this.#flights = []
    for (const entry of this.#queue.splice(0)) entry.reject(failure)
    this.#idle()
    this.#window.remove(this)
    this.#window.schedule()
  }

  /** Records a sent frame. Small frames without a request share one record, because thousands of frames may be in flight. */
  #note(cost: number, allowance: Allowance, request: boolean): void {
    this.#sent += cost
    const previous = this.#flights.at(-1)
    if (previous?.allowance === allowance && previous.sentAt === undefined) {
      previous.end = this.#sent
      previous.sentAt = request ? performance.now() : undefined
      return
    }
    this.#flights.push({ end: this.#sent, allowance, sentAt: request ? performance.now() : undefined })
  }

  #withdraw(entry: Entry, reason: unknown): void {
    const index = this.#queue.indexOf(entry)
    if (index < 0) return
    this.#queue.splice(index, 1)
    this.#queuedBytes -= entry.bytes.byteLength - entry.offset
    entry.reject(reason)
    if (entry.offset > 0) {
      try {
        this.#stream.send(encodeFrame(FrameFlag.drop, new Uint8Array()))
      } catch (cause) {
        this.fail(cause instanceof Error ? cause : new Error(String(cause)))
      }
    }
    if (this.#queue.length === 0) this.#idle()
    this.#window.schedule(this)
  }

  #idle(): void {
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }
}
