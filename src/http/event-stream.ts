/** One reader of `/api/events` (server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html). */
import type { ServerResponse } from 'node:http'
import { SECURITY_HEADERS } from './guard.ts'

/** Whoever has not taken so much of what was sent before is dropped, in bytes. What comes next may be larger: a whole picture of a million chunks is. */
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

  /** @param onClosed - called once, whoever ends it */
  constructor(response: ServerResponse, onClosed: () => void) {
    this.#response = response
    response.once('close', onClosed)
    // Its socket may break: then it closes.
    response.on('error', () => {})
    response.writeHead(200, { ...SECURITY_HEADERS, 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
    response.write(`retry: ${RECONNECT_MS}\n\n`)
  }

  /** Who reads too slowly is dropped, and begins anew with a status when it comes back. */
  send(data: Buffer): void {
    if (this.#response.writableLength > MOST_WAITING) this.#response.destroy()
    else this.#response.write(data)
  }

  end(): void {
    this.#response.end()
  }
}
