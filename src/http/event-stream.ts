/** One reader of events (server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html). */
import type { ServerResponse } from 'node:http'
import { SECURITY_HEADERS } from './guard.ts'

/** A reader with more than this much unread data, in bytes, is dropped at the next event. One event may be larger: the status of a large cluster is. */
const MOST_WAITING = 4 * 2 ** 20
/** Before a browser connects again, in ms. */
const RECONNECT_MS = 2_000

/** Event and data as they travel. JSON holds no line ends, so it is one line. */
export function encodeEvent(id: number, event: string, data: string): Buffer {
  return Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)
}

export const HEARTBEAT = Buffer.from(': still here\n\n')

export class EventStream {
  readonly #response: ServerResponse

  /**
   * @param onClosed - called once, whichever side ends the stream
   * @param onReady - called when it {@link isReady} again
   */
  constructor(response: ServerResponse, onClosed: () => void, onReady?: () => void) {
    this.#response = response
    response.once('close', onClosed)
    if (onReady !== undefined) response.on('drain', onReady)
    // Its socket may break: then it closes.
    response.on('error', () => {})
    response.writeHead(200, { ...SECURITY_HEADERS, 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
    response.write(`retry: ${RECONNECT_MS}\n\n`)
  }

  /** Whether the reader has taken what was sent, or nearly all of it, and more may come. */
  get isReady(): boolean {
    return !this.#response.writableNeedDrain && !this.#response.writableEnded
  }

  /** Who reads too slowly is dropped, and begins anew with a status when it comes back. */
  send(data: Buffer): void {
    if (this.#response.writableLength > MOST_WAITING) this.drop()
    else this.#response.write(data)
  }

  /** Ends it without waiting for the reader to take what was sent. */
  drop(): void {
    this.#response.destroy()
  }

  end(): void {
    this.#response.end()
  }
}
