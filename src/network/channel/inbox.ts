import type { Stream } from '@libp2p/interface'
import { Uint8ArrayList } from 'uint8arraylist'
import { InvalidMessageError } from '../../common/errors.ts'
import type { BudgetShare } from '../guard/byte-budget.ts'
import { RefusedMessageError } from '../guard/refusals.ts'
import { type Ack, decodeFrame, encodeAck, FRAME_OVERHEAD, MIN_PART_BYTES } from './frame-format.ts'
import { CHANNEL_WINDOW } from './outbox.ts'

/** The number of arrived bytes after which an acknowledgement is sent. */
const ACK_INTERVAL = 64 * 1024
/** The delay (ms) of an acknowledgement for fewer bytes, so that a burst of small messages gets only one acknowledgement. */
const LAZY_ACK_DELAY = 100
/** The smallest number of bytes that a receiver acknowledges. Otherwise each probe of some 50 bytes would cause an acknowledgement. */
export const LEAST_ACK = 1024

/** A complete message. */
export interface ReceivedMessage {
  bytes: Uint8Array
  /** The bytes of the channel's window that the message takes until the reader consumes the message. */
  cost: number
  /** The bytes of the sender's budget that the message takes until the reader consumes the message. */
  size: number
}

/** The limits of an inbox in addition to its window. */
export interface InboxBounds {
  /** Returns whether one more message is within the sender's rate. If not, the channel ends. */
  admits(): boolean
  /** The sender's budget for unhandled messages. */
  budget: BudgetShare
}

/** The receiving half of a channel: reassembles messages and acknowledges frames. */
export class Inbox {
  readonly #stream: Stream
  readonly #maxMessageBytes: number
  readonly #onAck: (ack: Ack) => void
  readonly #bounds: InboxBounds
  #partial = new Uint8ArrayList()
  /** The bytes of the window that frames of the partial message take, without the frames that count as consumed. */
  #unconsumed = 0
  /** The bytes of the budget that the partial message takes. */
  #size = 0
  /** The bytes of the budget that all messages of this inbox take. */
  #taken = 0
  /** The number of complete messages that are not handled yet. */
  #unhandled = 0
  #received = 0
  #consumed = 0
  #acknowledged: Ack = { received: 0, consumed: 0 }
  /** The time at which data last arrived, by the monotonic clock. The time also advances while a large message arrives in pieces. */
  receivedAt = performance.now()
  #lazy: NodeJS.Timeout | undefined
  #stopped = false

  constructor(stream: Stream, maxMessageBytes: number, onAck: (ack: Ack) => void, bounds: InboxBounds) {
    this.#stream = stream
    this.#maxMessageBytes = maxMessageBytes
    this.#onAck = onAck
    this.#bounds = bounds
  }

  /**
   * Reads frames and yields complete messages.
   *
   * @throws InvalidMessageError
   */
  async *reassemble(source: AsyncIterable<Uint8ArrayList>): AsyncGenerator<ReceivedMessage> {
    for await (const bytes of source) {
      const frame = decodeFrame(bytes)
      switch (frame.type) {
        case 'ack':
          this.#onAck(frame.ack)
          break
        case 'drop':
          this.#partial = new Uint8ArrayList()
          this.#giveBack(this.#size)
          this.#size = 0
          this.#release()
          this.#acknowledge(false)
          break
        case 'data': {
          this.receivedAt = performance.now()
          const cost = frame.payload.byteLength + FRAME_OVERHEAD
          this.#received += cost
          if (this.#received - this.#consumed > CHANNEL_WINDOW) {
            throw new InvalidMessageError('the other side sent more than the window allows')
          }
          if (!frame.last && frame.payload.byteLength < MIN_PART_BYTES) {
            throw new InvalidMessageError(`a part of ${frame.payload.byteLength} bytes with more to follow`)
          }
          this.#partial.append(frame.payload)
          if (this.#partial.byteLength > this.#maxMessageBytes) {
            throw new InvalidMessageError(`a message of more than ${this.#maxMessageBytes} bytes`)
          }
          this.#take(cost)
          this.#unconsumed += cost
          this.#size += cost
          if (frame.last) {
            const message = { bytes: this.#partial.subarray(), cost: this.#unconsumed, size: this.#size }
            this.#partial = new Uint8ArrayList()
            this.#unconsumed = 0
            this.#size = 0
            this.#unhandled++
            this.#acknowledge(frame.request)
            if (!this.#bounds.admits()) throw new RefusedMessageError('rate', 'more than a peer may send')
            yield message
          } else {
            if (this.#unhandled === 0) this.#release()
            this.#acknowledge(frame.request)
          }
        }
      }
    }
  }

  /** Counts a handled message as consumed. */
  consume({ cost, size }: ReceivedMessage): void {
    this.#consumed += cost
    this.#giveBack(size)
    this.#unhandled--
    if (this.#unhandled === 0) this.#release()
    this.#acknowledge(false)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#lazy)
    this.#giveBack(this.#taken)
  }

  #take(bytes: number): void {
    if (this.#stopped) return
    if (!this.#bounds.budget.take(bytes)) throw new RefusedMessageError('rate', 'more at a time than a peer may send')
    this.#taken += bytes
  }

  #giveBack(bytes: number): void {
    const given = Math.min(bytes, this.#taken)
    this.#taken -= given
    if (given > 0) this.#bounds.budget.give(given)
  }

  /**
   * Counts the frames of a partial message as consumed, because a message may be larger than the window. Does this only when no
   * earlier message waits for its handler. Otherwise a slow handler would not slow the sender down.
   */
  #release(): void {
    this.#consumed += this.#unconsumed
    this.#unconsumed = 0
  }

  #acknowledge(now: boolean): void {
    if (this.#stopped) return
    const { received, consumed } = this.#acknowledged
    const news = Math.max(this.#received - received, this.#consumed - consumed)
    if (now || news >= ACK_INTERVAL) this.#sendAck()
    else if (news >= LEAST_ACK && this.#lazy === undefined) {
      this.#lazy = setTimeout(() => this.#sendAck(), LAZY_ACK_DELAY).unref()
    }
  }

  #sendAck(): void {
    clearTimeout(this.#lazy)
    this.#lazy = undefined
    const ack = { received: this.#received, consumed: this.#consumed }
    if (ack.received === this.#acknowledged.received && ack.consumed === this.#acknowledged.consumed) return
    this.#acknowledged = ack
    try {
      this.#stream.send(encodeAck(ack))
    } catch {
      // The stream has closed for writing. The close event of the stream will end the channel.
    }
  }
}
