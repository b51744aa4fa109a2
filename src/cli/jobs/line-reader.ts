import { StringDecoder } from 'node:string_decoder'

/**
 * Reads the lines of a byte stream, without their line ends. Lines that have already arrived are returned without a
 * promise, because there may be millions of lines.
 */
export class LineReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #decoder = new StringDecoder('utf8')
  #lines: string[] = []
  #at = 0
  /**
   * The unfinished last line, in the pieces that arrived. The pieces are joined only when the line is complete, so that
   * a line of many megabytes takes linear time.
   */
  #rest: string[] = []
  #isDone = false

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    const next = (): IteratorResult<string> | Promise<IteratorResult<string>> =>
      this.#at < this.#lines.length ? { done: false, value: this.#lines[this.#at++]! } : this.#read()
    // `for await` also accepts a result that is not a promise.
    return { next: next as () => Promise<IteratorResult<string>>, return: () => this.#end() }
  }

  async #end(): Promise<IteratorResult<string>> {
    this.#isDone = true
    this.#lines = []
    await this.#chunks.return?.()
    return { done: true, value: undefined }
  }

  async #read(): Promise<IteratorResult<string>> {
    while (!this.#isDone) {
      const { done, value } = await this.#chunks.next()
      if (done === true) {
        this.#isDone = true
        const last = this.#rest.join('') + this.#decoder.end()
        this.#rest = []
        // The last line may have no line end.
        if (last !== '') return { done: false, value: last }
        break
      }
      const lines = this.#decoder.write(Buffer.from(value.buffer, value.byteOffset, value.byteLength)).split('\n')
      const rest = lines.pop()!
      if (lines.length > 0) {
        lines[0] = this.#rest.join('') + lines[0]
        this.#rest = []
      }
      if (rest !== '') this.#rest.push(rest)
      this.#lines = lines
      this.#at = 0
      if (lines.length > 0) return { done: false, value: lines[this.#at++]! }
    }
    return { done: true, value: undefined }
  }
}
