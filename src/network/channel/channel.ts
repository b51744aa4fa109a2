import type { Stream, StreamCloseEvent } from '@libp2p/interface'
import * as lp from 'it-length-prefixed'
import { pipe } from 'it-pipe'
import { ChannelClosedError, InvalidMessageError, MessageTooLargeError } from '../../common/errors.ts'
import { HandlerError, ofHandler } from '../handler-error.ts'
import type { AbortOptions, Channel, PeerIdString, ProtocolHandler, ProtocolSpec } from '../types.ts'
import type { BulkWindow } from './bulk-window.ts'
import { MAX_FRAME_BYTES } from './frame-format.ts'
import { Inbox, type InboxBounds, LEAST_ACK, type ReceivedMessage } from './inbox.ts'
import { Outbox, type SlowReaderLimit } from './outbox.ts'
import { readAhead } from './read-ahead.ts'
import { readStream } from './read-stream.ts'

/** The time (ms) that `close` waits until the queued messages are sent and the other side has read these messages. */
const CLOSE_TIMEOUT = 2_000
/** The time (ms) after the close of a stream in which the channel still handles messages that arrived before the close. */
const DRAIN_TIMEOUT = 1_000

/** The parts of a {@link FramedChannel}. */
export interface ChannelInit<T> {
  stream: Stream
  remote: PeerIdString
  direction: 'inbound' | 'outbound'
  spec: ProtocolSpec<T>
  handler: ProtocolHandler<T>
  /** The bulk window that all channels of the connection share. */
  window: BulkWindow
  inbox: InboxBounds
  /** The limits beyond which the other side reads too slowly. */
  slowReader: Omit<SlowReaderLimit, 'onSlow'>
  /** Called exactly one time, when the channel has ended. The handler's `onClose` is called after it. */
  onEnd(channel: FramedChannel<T>): void
  /** Called with the error if the channel ends with an error. */
  onError(error: Error): void
}

/** A {@link Channel} over one libp2p stream. Reading starts with {@link FramedChannel.start}. */
export class FramedChannel<T> implements Channel<T> {
  readonly remote: PeerIdString
  readonly direction: 'inbound' | 'outbound'
  readonly #init: ChannelInit<T>
  readonly #outbox: Outbox
  readonly #inbox: Inbox
  readonly #closed = new AbortController()
  #state: 'open' | 'ending' | 'ended' = 'open'
  #reason: Error | undefined
  #drainTimer: NodeJS.Timeout | undefined
  #sentAt = performance.now()
  /** Whether a message is being handled. */
  #handling = false

  constructor(init: ChannelInit<T>) {
    this.#init = init
    this.remote = init.remote
    this.direction = init.direction
    this.#outbox = new Outbox(init.stream, init.window, { ...init.slowReader, onSlow: reason => this.#fail(reason) })
    const onAck: ConstructorParameters<typeof Inbox>[2] = ack => this.#outbox.onAck(ack, performance.now())
    this.#inbox = new Inbox(init.stream, init.spec.maxMessageBytes, onAck, init.inbox)
  }

  get closed(): AbortSignal {
    return this.#closed.signal
  }

  /** Whether messages can be sent. */
  get isOpen(): boolean {
    return this.#state === 'open'
  }

  /** The time at which a message was last sent, received or handled, by the monotonic clock. */
  get usedAt(): number {
    // LEAST_ACK or fewer pending bytes may never be acknowledged, so they do not count as use.
    if (this.pendingBytes > LEAST_ACK || this.#handling) return performance.now()
    return Math.max(this.#sentAt, this.#inbox.receivedAt)
  }

  get pendingBytes(): number {
    return this.#outbox.pendingBytes
  }

  /** Announces the channel to its handler and begins to read messages. */
  start(): void {
    const { stream, handler } = this.#init
    // If nothing listens for the close event, libp2p rejects its own promises with that event.
    stream.addEventListener('close', event => this.#onStreamClose(event), { once: true })
    handler.onOpen?.(this)
    this.#read().then(
      () => this.#end(this.#reason ?? new Error('the other side closed it')),
      error => this.#fail(error instanceof HandlerError ? error : (this.#reason ?? error))
    )
    if (stream.status !== 'open') this.#startDraining(new Error(`its stream is ${stream.status}`))
  }

  async send(message: T, options: AbortOptions = {}): Promise<void> {
    if (this.#state !== 'open') throw this.#closedError()
    this.#sentAt = performance.now()
    const { codec, maxMessageBytes, name } = this.#init.spec
    const bytes = codec.encode(message)
    if (bytes.byteLength > maxMessageBytes) {
      throw new MessageTooLargeError(
        `a message of ${bytes.byteLength} bytes to ${this.remote} exceeds the ${maxMessageBytes} bytes of "${name}"`
      )
    }
    await this.#outbox.push(bytes, options.signal)
  }

  async close(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'ending'
    const { stream } = this.#init
    const signal = AbortSignal.timeout(CLOSE_TIMEOUT)
    const gone = new Promise<void>(resolve => {
      stream.addEventListener('close', () => resolve(), { once: true })
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await Promise.race([this.#outbox.idle(), gone])
    try {
      await stream.close({ signal })
      if (stream.status === 'open') await gone
    } catch {
      // Either the stream was reset, or its data was not written in time. The channel ends in both cases.
    }
    this.#end(new Error('this side closed it'))
  }

  abort(reason: Error): void {
    this.#fail(reason)
  }

  async #read(): Promise<void> {
    const { stream, spec, handler } = this.#init
    const inbox = this.#inbox
    await pipe(
      readStream(stream),
      source => lp.decode(source, { maxDataLength: MAX_FRAME_BYTES, maxLengthLength: 4 }),
      source => this.#orFail(inbox.reassemble(source)),
      source => readAhead<ReceivedMessage>(source),
      async source => {
        for await (const received of source) {
          if (this.#hasEnded()) return
          const decoded = decode(spec, received.bytes)
          // Await only a promise. So the channel handles a small message in the same turn of the event loop in which the message arrives.
          const message = decoded instanceof Promise ? await this.#inTurns(decoded) : decoded
          if (this.#hasEnded()) return
          try {
            const handled = handler.onMessage(message, this)
            if (handled !== undefined) {
              this.#handling = true
              await handled
              this.#handling = false
            }
          } catch (error) {
            throw ofHandler(error)
          }
          inbox.consume(received)
        }
      }
    )
  }

  async #inTurns(decoding: Promise<T>): Promise<T> {
    const decoded = this.#init.handler.onDecoding?.(this)
    this.#handling = true
    try {
      return await decoding
    } finally {
      this.#handling = false
      decoded?.()
    }
  }

  /** Whether the channel has ended. This is a method because the compiler assumes that a field does not change during an `await`. */
  #hasEnded(): boolean {
    return this.#state === 'ended'
  }

  /** Ends the channel as soon as an invalid message arrives, even if the handler of an earlier message still waits for the other side to read. */
  async *#orFail(parcels: AsyncIterable<ReceivedMessage>): AsyncGenerator<ReceivedMessage> {
    try {
      yield* parcels
    } catch (error) {
      if (error instanceof InvalidMessageError) this.#fail(error)
      throw error
    }
  }

  #onStreamClose(event: StreamCloseEvent): void {
    this.#startDraining(event.error ?? new Error('the connection closed'))
  }

  /** Stops sending, but handles the complete messages that have arrived, for at most DRAIN_TIMEOUT. */
  #startDraining(reason: Error): void {
    if (this.#state === 'ended' || this.#drainTimer !== undefined) return
    this.#state = 'ending'
    this.#reason = reason
    this.#outbox.fail(this.#closedError())
    this.#drainTimer = setTimeout(() => this.#end(reason), DRAIN_TIMEOUT).unref()
  }

  #fail(reason: unknown): void {
    const error = reason instanceof Error ? reason : new Error(String(reason))
    const isNews = this.#reason === undefined || error instanceof HandlerError
    if (this.#state !== 'ended' && isNews) this.#init.onError(error)
    this.#end(error, true)
  }

  #end(reason: Error, reset = false): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#reason ??= reason
    clearTimeout(this.#drainTimer)
    const error = this.#closedError()
    this.#inbox.stop()
    this.#outbox.fail(error)
    const { stream, handler, onEnd } = this.#init
    if (reset || stream.writeStatus !== 'writable') stream.abort(reason)
    else stream.close({ signal: AbortSignal.timeout(CLOSE_TIMEOUT) }).catch(() => stream.abort(reason))
    onEnd(this)
    this.#closed.abort(error)
    handler.onClose?.(this, error)
  }

  #closedError(): ChannelClosedError {
    const why = this.#reason === undefined ? 'is closing' : `has ended: ${this.#reason.message}`
    return new ChannelClosedError(`the channel "${this.#init.spec.name}" to ${this.remote} ${why}`, {
      cause: this.#reason
    })
  }
}

/** Decodes a message. Returns a promise if the decoding takes several turns of the event loop. */
function decode<T>(spec: ProtocolSpec<T>, bytes: Uint8Array): T | Promise<T> {
  const fail = (cause: unknown): never => {
    if (cause instanceof InvalidMessageError) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new InvalidMessageError(`what arrived is no message of "${spec.name}": ${why}`, { cause })
  }
  try {
    return spec.codec.decodeInTurns?.(bytes)?.catch(fail) ?? spec.codec.decode(bytes)
  } catch (cause) {
    return fail(cause)
  }
}
