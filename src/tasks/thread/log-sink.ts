import type { CallPort, LogLine } from '../execute/messages.ts'

/** The limit of characters in a line. */
export const MAX_LINE = 8 * 1024
const MAX_LINES_PER_SECOND = 1000

// The limit holds for a thread and not for a single call, because a thread that prints in every tiny chunk must not flood its peer.
let windowStart = Number.NEGATIVE_INFINITY
let linesInWindow = 0

/** Resets the rate limit for the next job of this thread. */
export function forgetLines(): void {
  windowStart = Number.NEGATIVE_INFINITY
}

/** Sends the log lines of one call to the main thread, with a rate limit. */
export class LogSink {
  readonly #port: CallPort
  #dropped = 0
  #last: LogLine | undefined
  #closed = false

  constructor(port: CallPort) {
    this.#port = port
  }

  line(line: LogLine): void {
    if (this.#closed) return
    const now = performance.now()
    if (now - windowStart >= 1000) {
      windowStart = now
      linesInWindow = 0
      this.#tellDropped()
    }
    if (linesInWindow >= MAX_LINES_PER_SECOND) {
      this.#dropped++
      this.#last = line
      return
    }
    linesInWindow++
    this.#send({ ...line, line: line.line.length > MAX_LINE ? `${line.line.slice(0, MAX_LINE)}…` : line.line })
  }

  /** Closes the sink: lines that code prints after the end of its call are dropped. */
  close(): void {
    this.#tellDropped()
    this.#closed = true
  }

  #tellDropped(): void {
    if (this.#dropped === 0 || this.#last === undefined) return
    const line = `(${this.#dropped} lines dropped: more than ${MAX_LINES_PER_SECOND} a second)`
    this.#send({ ...this.#last, stream: 'stderr', line })
    this.#dropped = 0
  }

  #send(line: LogLine): void {
    this.#port.postMessage({ type: 'log', lines: [line] })
  }
}
