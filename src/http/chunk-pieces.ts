/** What of a job's chunks has changed, in pieces as events. Readers who know the same get the same piece, which is made once. */
import { type ChunkChanges, ChunkRecord } from '../jobs/shared/chunk-record.ts'
import { encodeEvent } from './event-stream.ts'

/** About how many runs one event holds: some tens of kilobytes, which are quickly encoded and fit a slow connection. */
const RUNS_A_PIECE = 4_096

export interface Piece {
  first: number
  end: number
  /** Whether no chunk has changed. */
  isEmpty: boolean
  /** Where the rest begins; undefined: that is all. */
  next: number | undefined
  /** A reader that has all pieces knows all changes until the first piece's version. */
  version: number
  event(): Buffer
}

export class ChunkPieces {
  readonly #jobId: string
  readonly #record: ChunkRecord
  readonly #nextId: () => number
  #newest: { key: string; piece: Piece } | undefined

  /**
   * @param whole - the record, as somebody else has it
   * @param nextId - of the next event
   */
  constructor(jobId: string, whole: ChunkChanges, nextId: () => number) {
    this.#jobId = jobId
    this.#record = ChunkRecord.from(whole)
    this.#nextId = nextId
  }

  apply(changes: ChunkChanges): void {
    this.#record.apply(changes)
    this.#newest = undefined
  }

  /**
   * What has changed since a version, from a chunk on.
   *
   * @param isReset - it replaces all that the reader knows
   */
  piece(since: number, from: number, isReset: boolean): Piece {
    const key = `${since} ${from} ${isReset}`
    if (this.#newest?.key !== key) this.#newest = { key, piece: this.#make(since, from, isReset) }
    return this.#newest.piece
  }

  #make(since: number, from: number, reset: boolean): Piece {
    const { first, end, peers, runs, next, version } = this.#record.since(since, from, RUNS_A_PIECE)
    let encoded: Buffer | undefined
    const event = (): Buffer => {
      encoded ??= encodeEvent(
        this.#nextId(),
        'chunks',
        JSON.stringify({ jobId: this.#jobId, reset, first, end, peers, runs })
      )
      return encoded
    }
    return { first, end, isEmpty: runs.length === 0, next, version, event }
  }
}
