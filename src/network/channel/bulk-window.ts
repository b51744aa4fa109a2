import { MAX_FRAME_BYTES, MIN_PART_BYTES } from './frame-format.ts'

/**
 * How much of a connection bulk data may fill. TCP and yamux would queue many megabytes, and a probe sent behind them
 * would wait for seconds; so the bytes that the other side has not yet received are limited per connection, to what
 * drains within a quarter of the probe timeout. The limit follows the delay, as in LEDBAT (RFC 6817): the
 * time until a frame is acknowledged, less the smallest one seen, is the time in queues.
 */

const MIN_WINDOW = 64 * 1024
const MAX_WINDOW = 8 * 1024 * 1024
/** Bytes of small messages that may be in flight beside the bulk. */
const SMALL_ALLOWANCE = 64 * 1024
/** The base delay is forgotten after one to two of these periods, in ms: routes change. */
const BASE_DELAY_PERIOD = 30_000

/** A channel with frames to send on the connection. */
export interface FrameSender {
  /** Sends at most one frame. `idle`: nothing left to send; `blocked`: a window is full. */
  sendFrame(): 'sent' | 'blocked' | 'idle'
}

/** The kind of allowance under which a frame was sent, and to which it returns when it is received. */
export type Allowance = 'bulk' | 'small'

export class BulkWindow {
  readonly #target: number
  #size = 2 * MIN_WINDOW
  #inFlight = { bulk: 0, small: 0 }
  #senders = new Set<FrameSender>()
  #running = false
  /** Until the first congestion the window doubles each round trip. */
  #slowStart = true
  #lastShrink = 0
  #baseDelays = [Infinity, Infinity]
  #basePeriodStart = 0

  /** @param target - the queueing delay to keep below, in ms */
  constructor(target: number) {
    this.#target = target
  }

  /** Bytes of bulk that may be in flight. */
  get size(): number {
    return this.#size
  }

  /** The payload of the next frame: small where the window is, so that it still holds several. */
  get frameBytes(): number {
    return Math.max(MIN_PART_BYTES, Math.min(MAX_FRAME_BYTES - 1, this.#size >> 3))
  }

  /** Whether bulk of this many bytes fits now; one frame always fits when nothing is under way. */
  fits(bytes: number): boolean {
    return this.#inFlight.bulk === 0 || this.#inFlight.bulk + bytes <= this.#size
  }

  /** Takes room for a frame: from the small allowance if it may and can, else from the bulk window. */
  take(bytes: number, small: boolean): Allowance | undefined {
    if (small && this.#inFlight.small + bytes <= SMALL_ALLOWANCE) {
      this.#inFlight.small += bytes
      return 'small'
    }
    if (!this.fits(bytes)) return undefined
    this.#inFlight.bulk += bytes
    return 'bulk'
  }

  release(bytes: number, allowance: Allowance): void {
    this.#inFlight[allowance] -= bytes
  }

  /** Adapts the window to one measured delay in ms; `bytes` were acknowledged with it. */
  sample(delay: number, bytes: number, now: number): void {
    if (now - this.#basePeriodStart > BASE_DELAY_PERIOD) {
      this.#basePeriodStart = now
      this.#baseDelays = [this.#baseDelays[1] ?? Infinity, Infinity]
    }
    this.#baseDelays[1] = Math.min(this.#baseDelays[1] ?? Infinity, delay)
    const queueing = delay - Math.min(...this.#baseDelays)
    if (queueing > this.#target) {
      // Once per round trip: what is acknowledged until then was sent before the window shrank.
      if (now - this.#lastShrink < delay) return
      this.#lastShrink = now
      this.#slowStart = false
      this.#size = Math.max(MIN_WINDOW, Math.floor(this.#size * Math.max(0.5, this.#target / queueing)))
      return
    }
    // A window that is not used says nothing about a larger one.
    if (this.#inFlight.bulk + bytes < this.#size / 2) return
    const room = (this.#target - queueing) / this.#target
    const step = this.#slowStart ? bytes : (room * bytes * MIN_WINDOW) / this.#size
    if (this.#slowStart && room < 0.5) this.#slowStart = false
    this.#size = Math.min(MAX_WINDOW, Math.floor(this.#size + step))
  }

  /** Queues `sender` (once) and sends what the windows allow, one frame of each in turn, so that no channel starves another. */
  schedule(sender?: FrameSender): void {
    if (sender !== undefined) this.#senders.add(sender)
    if (this.#running) return
    this.#running = true
    try {
      for (let sent = true; sent; ) {
        sent = false
        for (const next of [...this.#senders]) {
          const result = next.sendFrame()
          if (result === 'idle') this.#senders.delete(next)
          if (result === 'sent') sent = true
        }
      }
    } finally {
      this.#running = false
    }
  }

  remove(sender: FrameSender): void {
    this.#senders.delete(sender)
  }
}
