import type { Readable } from 'node:stream'

/** The number of characters that are kept from the end of the stream. */
const KEPT = 16 * 1024
/** The number of lines that are reported, and the number of characters of each line. */
const LINES = 3
const LINE = 300
/** Matches a line of a native stack, or a heading around V8's messages. */
const NATIVE_FRAME = /^\s*\d+: 0x|^----- |^<--- /

/** The last text in the stderr of a process. V8 and the system write there why the process ended. */
export class StderrTail {
  #text = ''

  constructor(stderr: Readable | null) {
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#text = (this.#text + text).slice(-KEPT)
    })
  }

  /** Whether V8 reports a full heap. */
  get reportsFullHeap(): boolean {
    return /^FATAL ERROR: .*heap out of memory/m.test(this.#text)
  }

  /** Describes how the process ended, such as `by SIGABRT, and had written: …`. */
  describeEnd(code: number | null, signal: string | null): string {
    const lines = this.#text.split('\n').filter(line => line.trim() !== '' && !NATIVE_FRAME.test(line))
    const last = lines.slice(-LINES).map(line => line.trim().slice(0, LINE))
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`
    return last.length === 0 ? how : `${how}, and had written: ${last.join(' | ')}`
  }
}
