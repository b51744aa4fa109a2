import type { Readable } from 'node:stream'

/** How much of it is kept (characters, from the end), and how many lines of that are told. */
const KEPT = 16 * 1024
const LINES = 3
const LINE = 300
/** Native stacks and headings, which V8 writes around what it has to say. */
const NATIVE_FRAME = /^\s*\d+: 0x|^----- |^<--- /

/** What a process of tasks wrote to its stderr before it ended: V8 and the system say there why. */
export class StderrTail {
  #text = ''

  constructor(stderr: Readable | null) {
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#text = (this.#text + text).slice(-KEPT)
    })
  }

  /** Whether V8 says that its heap was full. */
  get reportsFullHeap(): boolean {
    return /^FATAL ERROR: .*heap out of memory/m.test(this.#text)
  }

  /** How it ended, such as `by SIGABRT, and had written: …`. */
  after(code: number | null, signal: string | null): string {
    const lines = this.#text.split('\n').filter(line => line.trim() !== '' && !NATIVE_FRAME.test(line))
    const last = lines.slice(-LINES).map(line => line.trim().slice(0, LINE))
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`
    return last.length === 0 ? how : `${how}, and had written: ${last.join(' | ')}`
  }
}
