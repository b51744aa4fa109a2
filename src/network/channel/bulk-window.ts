import { MAX_FRAME_BYTES, MIN_PART_BYTES } from './frame-format.ts'

/**
 * The share of a connection that bulk data may fill. TCP and yamux would queue many megabytes, and a probe behind these bytes
 * would wait for seconds. So the window limits the bytes in flight on each connection to the amount that drains within a quarter
 * of the probe timeout. The limit follows the delay, as in LEDBAT (RFC 6817): the time until a frame is acknowledged, minus the
 * base delay (the smallest recent time), is the time that the frame spent in queues.
 */

const MIN_WINDOW = 64 * 1024
const MAX_WINDOW = 8 * 1024 * 1024
/** The limit of bytes in flight for small messages. Bulk data has a separate limit. */
const SMALL_ALLOWANCE = 64 * 1024
/** The period (ms) of the base delay. The window forgets a base delay after one to two periods, because routes change. */
const BASE_DELAY_PERIOD = 30_000

/** A channel that has frames to send on the connection. */
export interface FrameSender {
  /** Sends at most one frame. Returns `idle` if there is nothing to send, and `blocked` if a window is full. */
  sendFrame(): 'sent' | 'blocked' | 'idle'
}

/** The allowance from which a frame takes its bytes when it is sent. The bytes return to this allowance when the frame is received. */
export type Allowance = 'bulk' | 'small'

export class BulkWindow {
  readonly #target: number
  #size = 2 * MIN_WINDOW
  #inFlight = { bulk: 0, small: 0 }
  #senders = new Set<FrameSender>()
  #running = false
  /** Whether the window doubles each round trip. It does until the first congestion. */
  #slowStart = true
  #lastShrink = 0
  #baseDelays = [Infinity, Infinity]
  #basePeriodStart = 0

  /** @param target - the limit of the queueing delay, in ms */
  constructor(target: number) {
    this.#target = target
  }

  /** The limit of bulk bytes in flight. */
  get size(): number {
    return this.#size
  }

  /** The payload of the next frame, in bytes. With a small window, frames are small, so that several frames fit. */
  get frameBytes(): number {
    return Math.max(MIN_PART_BYTES, Math.min(MAX_FRAME_BYTES - 1, this.#size >> 3))
  }

  /** Whether `bytes` of bulk data fit into the window now. If no bulk data is in flight, one frame always fits. */
  fits(bytes: number): boolean {
    return this.#inFlight.bulk === 0 || this.#inFlight.bulk + bytes <= this.#size
  }

  /** Reserves room for a frame: in the small allowance if the frame is small and fits there, otherwise in the bulk window. */
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

  /** Adapts the window to one measured delay in ms. `bytes` is the number of bytes that the same acknowledgement covers. */
  sample(delay: number, bytes: number, now: number): void {
    if (now - this.#basePeriodStart > BASE_DELAY_PERIOD) {
      this.#basePeriodStart = now
      this.#baseDelays = [this.#baseDelays[1] ?? Infinity, Infinity]
    }
    this.#baseDelays[1] = Math.min(this.#baseDelays[1] ?? Infinity, delay)
    const queueing = delay - Math.min(...this.#baseDelays)
    if (queueing > this.#target) {
      // Shrink at most one time in each round trip, because frames acknowledged within that time were sent before the window shrank.
      if (now - this.#lastShrink < delay) return
      this.#lastShrink = now
      this.#slowStart = false
      this.#size = Math.max(MIN_WINDOW, Math.floor(this.#size * Math.max(0.5, this.#target / queueing)))
      return
    }
    // If less than half of the window is used, the delay does not show whether a larger window is possible.
    if (this.#inFlight.bulk + bytes < this.#size / 2) return
    const room = (this.#target - queueing) / this.#target
    const step = this.#slowStart ? bytes : (room * bytes * MIN_WINDOW) / this.#size
    if (this.#slowStart && room < 0.5) this.#slowStart = false
    this.#size = Math.min(MAX_WINDOW, Math.floor(this.#size + step))
  }

  /** Queues `sender` unless it is queued, and sends as the windows allow. Each sender sends one frame in turn, so no channel starves. */
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
