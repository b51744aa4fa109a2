/** One reader of a job's chunks. Whenever it has taken a piece, it gets the next one with the newest changes. */
import type { ServerResponse } from 'node:http'
import type { ChunkPieces } from './chunk-pieces.ts'
import { EventStream, HEARTBEAT } from './event-stream.ts'

/** A reader that takes no data for this many heartbeats is dropped. */
const MOST_STALLED = 2

export class ChunkReader {
  readonly #stream: EventStream
  #pieces: ChunkPieces | undefined
  /** The version until which the reader knows all changes. */
  #since = 0
  /** The chunk until which the reader knows the changes after `#since`, while it is being sent them. */
  #from = 0
  /** The version that the reader will know after the current pieces; undefined between two rounds. */
  #telling: number | undefined
  #first: number | undefined
  #end: number | undefined
  /** The final event, which follows the last piece. */
  #last: Buffer | undefined
  #stalled = 0

  /** @param onClosed - called once, whichever side ends the stream */
  constructor(response: ServerResponse, onClosed: () => void) {
    this.#stream = new EventStream(response, onClosed, () => {
      this.#stalled = 0
      this.#tell()
    })
  }

  /** Sends the news in these pieces. If they belong to another record, the reader starts again with the whole of it. */
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

  /** Ends the stream with this event, after the reader has got all pieces. */
  finish(event: Buffer): void {
    this.#last = event
    this.#tell()
  }

  /** Ends the stream at once. */
  end(): void {
    this.#stream.end()
  }

  /** Sends a heartbeat, or drops a reader that has taken no data for two heartbeats. */
  beat(): void {
    if (this.#stream.isReady) this.#stream.send(HEARTBEAT)
    else if (++this.#stalled === MOST_STALLED) this.#stream.drop()
  }

  #tell(): void {
    // Changes for a slow reader are not queued, but computed when the reader has room.
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
