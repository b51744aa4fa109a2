/**
 * Encodes the changes of a job's chunks as events, each with one piece of the changes. Readers that need the same piece of the same
 * record version share this piece, which is encoded only once.
 */
import { type ChunkChanges, ChunkRecord } from '../jobs/shared/chunk-record.ts'
import { encodeEvent } from './event-stream.ts'

/**
 * The approximate number of runs in one event. Such an event has some tens of kilobytes, which are quick to encode and fit a slow
 * connection.
 */
const RUNS_A_PIECE = 4_096

export interface Piece {
  first: number
  end: number
  /** Whether no chunk has changed. */
  isEmpty: boolean
  /** The first chunk of the next piece. Undefined if this piece is the last piece. */
  next: number | undefined
  /** The record version at the first piece. A reader with all pieces knows all changes until this version. */
  version: number
  event(): Buffer
}

export class ChunkPieces {
  readonly #jobId: string
  readonly #record: ChunkRecord
  readonly #nextId: () => number
  #newest: { key: string; piece: Piece } | undefined

  /**
   * @param whole - the complete record at another peer
   * @param nextId - returns the id of the next event
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
   * Returns a piece of the changes since a record version. The piece begins at the chunk `from`.
   *
   * @param isReset - whether the piece replaces everything that the reader knows
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
