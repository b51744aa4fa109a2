/** One stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
import type { ServerResponse } from 'node:http'
import { SECURITY_HEADERS } from './guard.ts'

/** The most unread data of a reader, in bytes. A reader with more is dropped at the next event. A single event may be larger. */
const MOST_WAITING = 4 * 2 ** 20
/** The time after which a browser reconnects, in ms. */
const RECONNECT_MS = 2_000

/** Encodes an event. `data` is JSON without line ends, so it fits one line. */
export function encodeEvent(id: number, event: string, data: string): Buffer {
  return Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)
}

export const HEARTBEAT = Buffer.from(': still here\n\n')

export class EventStream {
  readonly #response: ServerResponse

  /**
   * @param onClosed - called a single time, when the client or this peer has ended the stream
   * @param onReady - called when {@link isReady} becomes true again
   */
  constructor(response: ServerResponse, onClosed: () => void, onReady?: () => void) {
    this.#response = response
    response.once('close', onClosed)
    if (onReady !== undefined) response.on('drain', onReady)
    // A broken socket emits `close` after `error`, and the listener of `close` handles the end.
    response.on('error', () => {})
    response.writeHead(200, { ...SECURITY_HEADERS, 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
    response.write(`retry: ${RECONNECT_MS}\n\n`)
  }

  /** Whether the reader has taken all or nearly all of the data, so that more may be sent. */
  get isReady(): boolean {
    return !this.#response.writableNeedDrain && !this.#response.writableEnded
  }

  /** Sends data, or drops a reader that is too slow. The reader receives a complete status when it reconnects. */
  send(data: Buffer): void {
    if (this.#response.writableLength > MOST_WAITING) this.drop()
    else this.#response.write(data)
  }

  /** Ends the stream without waiting until the reader has received the data. */
  drop(): void {
    this.#response.destroy()
  }

  end(): void {
    this.#response.end()
  }
}
