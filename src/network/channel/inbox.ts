import type { Stream } from '@libp2p/interface'
import { Uint8ArrayList } from 'uint8arraylist'
import { InvalidMessageError } from '../../common/errors.ts'
import type { BudgetShare } from '../guard/byte-budget.ts'
import { RefusedMessageError } from '../guard/refusals.ts'
import { type Ack, decodeFrame, encodeAck, FRAME_OVERHEAD, MIN_PART_BYTES } from './frame-format.ts'
import { CHANNEL_WINDOW } from './outbox.ts'

/** Acknowledge at least each time this many bytes arrived. */
const ACK_INTERVAL = 64 * 1024
/** Delay of the acknowledgement of fewer bytes, in ms: a burst of small messages costs one. */
const LAZY_ACK_DELAY = 100
/** The least that is acknowledged, in bytes: an idle cluster's probes have some 50, and would cost as many acknowledgements. */
export const LEAST_ACK = 1024

/** A whole message. */
export interface ReceivedMessage {
  bytes: Uint8Array
  /** What it counts in the channel's window until it is consumed. */
  cost: number
  /** What it takes of the sender's budget until it is consumed. */
  size: number
}

/** What bounds an inbox besides its window. */
export interface InboxBounds {
  /** Whether one more message is within the sender's rate; else the channel ends. */
  admits(): boolean
  /** The sender's budget for messages that are not handled yet. */
  budget: BudgetShare
}

/** The receiving half of a channel: puts messages together and acknowledges. */
export class Inbox {
  readonly #stream: Stream
  readonly #maxMessageBytes: number
  readonly #onAck: (ack: Ack) => void
  readonly #bounds: InboxBounds
  #partial = new Uint8ArrayList()
  /** What the frames of the partial message count in the window, without those that are consumed. */
  #unconsumed = 0
  /** What the partial message takes of the budget. */
  #size = 0
  /** What this inbox takes of the budget. */
  #taken = 0
  /** Whole messages that are not handled yet. */
  #unhandled = 0
  #received = 0
  #consumed = 0
  #acknowledged: Ack = { received: 0, consumed: 0 }
  /** When data came last, by the monotonic clock. A large message comes in many pieces. */
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
   * Frames in, whole messages out.
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
            if (!this.#bounds.admits()) throw new RefusedMessageError('rate', 'more than anybody may send')
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
    if (!this.#bounds.budget.take(bytes)) throw new RefusedMessageError('rate', 'more at a time than anybody may send')
    this.#taken += bytes
  }

  #giveBack(bytes: number): void {
    const given = Math.min(bytes, this.#taken)
    this.#taken -= given
    if (given > 0) this.#bounds.budget.give(given)
  }

  /**
   * A message may be larger than the window, so its frames count as consumed while it is put together; but only when no
   * earlier message waits for its handler, else a slow handler would not slow the sender down.
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
      // The stream has closed for writing; its close ends the channel.
    }
  }
}
