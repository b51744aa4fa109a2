/** One reader of a job's chunks. When the reader has received a piece, this peer sends the next piece, with the newest changes. */
import type { ServerResponse } from 'node:http'
import type { ChunkPieces } from './chunk-pieces.ts'
import { EventStream, HEARTBEAT } from './event-stream.ts'

/** This peer drops a reader that receives no data for this number of heartbeats. */
const MOST_STALLED = 2

export class ChunkReader {
  readonly #stream: EventStream
  #pieces: ChunkPieces | undefined
  /** The record version until which the reader knows all changes. */
  #since = 0
  /** The first chunk whose changes after `#since` the reader does not know yet, in a round of pieces. */
  #from = 0
  /** The record version that the reader will know after the present round of pieces. Undefined between two rounds. */
  #telling: number | undefined
  #first: number | undefined
  #end: number | undefined
  /** The final event, which follows the last piece. */
  #last: Buffer | undefined
  #stalled = 0

  /** @param onClosed - called a single time, when the client or this peer has ended the stream */
  constructor(response: ServerResponse, onClosed: () => void) {
    this.#stream = new EventStream(response, onClosed, () => {
      this.#stalled = 0
      this.#tell()
    })
  }

  /** Sends the changes from these pieces. If the pieces belong to another record, sends the complete new record. */
  show(pieces: ChunkPieces): void {
    if (pieces !== this.#pieces) {
      this.#pieces = pieces
      this.#since = 0
      this.#from = 0
      this.#telling = undefined
      this.#first = undefined
    }
    this.#tell()
  }

  /** Ends the stream with this event, after the reader has received all pieces. */
  finish(event: Buffer): void {
    this.#last = event
    this.#tell()
  }

  /** Ends the stream immediately. */
  end(): void {
    this.#stream.end()
  }

  /** Sends a heartbeat, or drops a reader that has received no data for two heartbeats. */
  beat(): void {
    if (this.#stream.isReady) this.#stream.send(HEARTBEAT)
    else if (++this.#stalled === MOST_STALLED) this.#stream.drop()
  }

  #tell(): void {
    // Changes for a slow reader are not queued. They are computed when the buffer of the reader has room.
    while (this.#stream.isReady) {
      const event = this.#next()
      if (event === undefined) break
      this.#stream.send(event)
    }
    if (this.#last === undefined || !this.#stream.isReady) return
    this.#stream.send(this.#last)
    this.#stream.end()
    this.#last = undefined
  }

  #next(): Buffer | undefined {
    if (this.#pieces === undefined) return undefined
    const isFirst = this.#first === undefined
    const piece = this.#pieces.piece(this.#since, this.#from, isFirst)
    const { first, end, isEmpty, next, version, event } = piece
    this.#telling ??= version
    if (next === undefined) {
      this.#since = this.#telling
      this.#from = 0
      this.#telling = undefined
    } else this.#from = next
    const isNews = isFirst || !isEmpty || first !== this.#first || end !== this.#end
    this.#first = first
    this.#end = end
    return isNews ? event() : undefined
  }
}
