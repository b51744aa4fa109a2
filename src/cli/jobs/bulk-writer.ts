import pDefer, { type DeferredPromise } from 'p-defer'
import { orAborted } from '../../lib/abort.ts'

/** The size of one piece of text, in characters. */
const PIECE = 64 * 1024

/** Combines many small writes to a stream into large writes. Flushes at the end of each turn of the event loop. */
export class BulkWriter {
  readonly #stream: NodeJS.WritableStream
  readonly #before: (data: string | Uint8Array) => void
  #text = ''
  #flushing = false
  #drain: DeferredPromise<void> | undefined

  /** @param before - called with each piece before it is written */
  constructor(stream: NodeJS.WritableStream, before: (data: string | Uint8Array) => void = () => {}) {
    this.#stream = stream
    this.#before = before
    stream.on('drain', () => {
      this.#drain?.resolve()
      this.#drain = undefined
    })
  }

  /** Whether the buffer of the stream is full. While it is full, {@link BulkWriter.drained} does not resolve. */
  get isFull(): boolean {
    return this.#drain !== undefined
  }

  write(data: string | Uint8Array): void {
    if (typeof data !== 'string') {
      this.#flush()
      this.#put(data)
      return
    }
    this.#text += data
    if (this.#text.length >= PIECE) this.#flush()
    else if (!this.#flushing) {
      this.#flushing = true
      setImmediate(() => {
        this.#flushing = false
        this.#flush()
      })
    }
  }

  async drained(signal: AbortSignal): Promise<void> {
    if (this.#drain !== undefined) await orAborted(this.#drain.promise, signal)
  }

  /** Flushes, and resolves when the stream has written everything. */
  async end(): Promise<void> {
    this.#flush()
    await new Promise<void>(resolve => this.#stream.write('', () => resolve()))
  }

  #flush(): void {
    if (this.#text === '') return
    const text = this.#text
    this.#text = ''
    this.#put(text)
  }

  #put(data: string | Uint8Array): void {
    if (data.length === 0) return
    this.#before(data)
    if (!this.#stream.write(data)) this.#drain ??= pDefer()
  }
}
