import { MAX_LINE, MAX_LINES_A_MESSAGE } from './wire-parts.ts'

/** The longest time that lines wait for more lines, in ms. */
const FLUSH_AFTER = 20

interface Line {
  function: string
  index: number | undefined
  stream: 'stdout' | 'stderr'
  line: string
}

/**
 * Batches the lines that a task prints into few messages. If a task prints faster than its lines can be sent, excess
 * lines are dropped and counted, so that output cannot fill a peer's memory.
 */
export class LogLineBatcher<L extends Line> {
  readonly #send: (lines: L[]) => Promise<void>
  readonly #isRead: () => boolean
  #lines: L[] = []
  #lost = 0
  #timer: NodeJS.Timeout | undefined
  #sending = 0
  #stopped = false

  /** @param isRead - while `isRead` returns false, lines are kept. The caller flushes when `isRead` begins to return true. */
  constructor(send: (lines: L[]) => Promise<void>, isRead = (): boolean => true) {
    this.#send = send
    this.#isRead = isRead
  }

  add(line: L): void {
    if (this.#stopped) return
    if (this.#lines.length >= MAX_LINES_A_MESSAGE - 1) {
      this.#lost += 1
      return
    }
    this.#lines.push({ ...line, line: line.line.slice(0, MAX_LINE) })
    if (this.#sending === 0) this.#timer ??= setTimeout(() => this.flush(), FLUSH_AFTER)
  }

  /** Sends the pending lines, so that they arrive before the next message. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#lines.length === 0 || !this.#isRead()) return
    const lines = this.#lines
    const last = lines.at(-1)!
    if (this.#lost > 0) lines.push({ ...last, stream: 'stderr', line: `(${this.#lost} lines more were not kept)` })
    this.#lines = []
    this.#lost = 0
    this.#sending += 1
    const sent = (): void => {
      this.#sending -= 1
      if (this.#lines.length > 0 && this.#sending === 0) this.flush()
    }
    // If the reader is gone, nobody needs the lines, so a failed send is ignored.
    this.#send(lines).then(sent, sent)
  }

  /** Sends the pending lines, and ignores all later lines. */
  stop(): void {
    this.flush()
    this.#stopped = true
  }
}
