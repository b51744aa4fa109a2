/** One who reads the chunks of a job: gets a piece of what it does not know yet whenever it has taken the one before. */
import type { ServerResponse } from 'node:http'
import type { ChunkPieces } from './chunk-pieces.ts'
import { EventStream, HEARTBEAT } from './event-stream.ts'

/** A reader that takes nothing for this many heartbeats is dropped. */
const MOST_STALLED = 2

export class ChunkReader {
  readonly #stream: EventStream
  #pieces: ChunkPieces | undefined
  /** It knows all until this version … */
  #since = 0
  /** … and of what came after it, which is being told, all before this chunk. */
  #from = 0
  /** The version that it knows all of when that is told. */
  #telling: number | undefined
  #first: number | undefined
  #end: number | undefined
  /** What comes when it knows everything. */
  #last: Buffer | undefined
  #stalled = 0

  /** @param onClosed - called once, whichever side ends the stream */
  constructor(response: ServerResponse, onClosed: () => void) {
    this.#stream = new EventStream(response, onClosed, () => {
      this.#stalled = 0
      this.#tell()
    })
  }

  /** There is something new in these, or they are those of another record: then it begins with all of them. */
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

  /** Ends it with this event, when it has been told all that it was shown. */
  finish(event: Buffer): void {
    this.#last = event
    this.#tell()
  }

  /** Ends it as it is. */
  end(): void {
    this.#stream.end()
  }

  /** Says that this peer is still here, or drops a reader who has not taken anything since this was called the time before last. */
  beat(): void {
    if (this.#stream.isReady) this.#stream.send(HEARTBEAT)
    else if (++this.#stalled === MOST_STALLED) this.#stream.drop()
  }

  #tell(): void {
    // What a slow one has not been told is not kept for it, but looked up when it has room.
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
