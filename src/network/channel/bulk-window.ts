import { MAX_FRAME_BYTES, MIN_PART_BYTES } from './frame-format.ts'

/**
 * The share of a connection that bulk data may fill. TCP and yamux would queue many megabytes, and a probe sent behind them
 * would wait for seconds. So the window limits the bytes in flight on each connection to the amount that drains within a quarter
 * of the probe timeout. The limit follows the delay, as in LEDBAT (RFC 6817): the time until a frame is acknowledged, minus the
 * smallest such time, is the time that the frame spent in queues.
 */

const MIN_WINDOW = 64 * 1024
const MAX_WINDOW = 8 * 1024 * 1024
/** The limit of bytes of small messages in flight beside the bulk data. */
const SMALL_ALLOWANCE = 64 * 1024
/** The period (ms) of the base delay, which is forgotten after one to two periods because routes change. */
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
  /** Whether the window doubles each round trip: true until the first congestion. */
  #slowStart = true
  #lastShrink = 0
  #baseDelays = [Infinity, Infinity]
  #basePeriodStart = 0

  /** @param target - the queueing delay to keep below, in ms */
  constructor(target: number) {
    this.#target = target
  }

  /** The limit of bulk bytes in flight. */
  get size(): number {
    return this.#size
  }

  /** The payload of the next frame, in bytes: small for a small window, so that the window has room for several frames. */
  get frameBytes(): number {
    return Math.max(MIN_PART_BYTES, Math.min(MAX_FRAME_BYTES - 1, this.#size >> 3))
  }

  /** Whether `bytes` of bulk data fit now. One frame always fits when no bulk data is in flight. */
  fits(bytes: number): boolean {
    return this.#inFlight.bulk === 0 || this.#inFlight.bulk + bytes <= this.#size
  }

  /** Reserves room for a frame: in the small allowance if the frame is small and fits, else in the bulk window. */
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
      // Shrink once per round trip: frames that are acknowledged until then were sent before the window shrank.
      if (now - this.#lastShrink < delay) return
      this.#lastShrink = now
      this.#slowStart = false
      this.#size = Math.max(MIN_WINDOW, Math.floor(this.#size * Math.max(0.5, this.#target / queueing)))
      return
    }
    // The delay of an unused window does not show whether a larger window is possible.
    if (this.#inFlight.bulk + bytes < this.#size / 2) return
    const room = (this.#target - queueing) / this.#target
    const step = this.#slowStart ? bytes : (room * bytes * MIN_WINDOW) / this.#size
    if (this.#slowStart && room < 0.5) this.#slowStart = false
    this.#size = Math.min(MAX_WINDOW, Math.floor(this.#size + step))
  }

  /** Queues `sender` (once) and sends as the windows allow: the senders take turns of one frame, so that no channel starves another. */
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
