/** The times at which chunks ran, by the clock of their thread. A thread records the times only if a client requests them. */

/** The end of a chunk's run. */
export type RunEnd = 'completed' | 'failed' | 'timed-out' | 'cancelled'

const ENDS: readonly RunEnd[] = ['completed', 'failed', 'timed-out', 'cancelled']
/** The number of fields for each chunk: position in the batch (later the index), start and end in ms since the epoch, and {@link RunEnd}. */
const FIELDS = 4
/** The limit of completed chunks in a message, because a thread completes thousands of tiny chunks a second. */
const MOST = 64
/** The limit of chunks in a message that failed, timed out or were cancelled. */
const MOST_UNUSUAL = 1_024

export interface ChunkTimes {
  rows: Float64Array
  /** The number of chunks that ran but are left out because of the limit. */
  leftOut: number
}

export interface ChunkTime {
  index: number
  start: number
  end: number
  how: RunEnd
}

/** Records when the chunks of a batch run. */
export class TimesWriter {
  #rows: number[] = []
  #leftOut = 0

  get isEmpty(): boolean {
    return this.#rows.length === 0
  }

  /** Records one chunk; `start` and `end` are times by `performance.now()`. */
  add(position: number, start: number, end: number, how: RunEnd): void {
    const most = how === 'completed' ? MOST : MOST_UNUSUAL
    if (this.#rows.length < most * FIELDS) this.#rows.push(position, start, end, ENDS.indexOf(how))
    else this.#leftOut += 1
  }

  /** Returns the records that were added since the last call of `take`. */
  take(): ChunkTimes {
    const rows = Float64Array.from(this.#rows)
    // The offset is computed for each message, because the system clock may be set while threads run.
    const offset = Date.now() - performance.now()
    for (let at = 0; at < rows.length; at += FIELDS) {
      rows[at + 1]! += offset
      rows[at + 2]! += offset
    }
    const times = { rows, leftOut: this.#leftOut }
    this.#rows = []
    this.#leftOut = 0
    return times
  }
}

/** The times of a chunk that died with its thread. The main thread has measured these times. */
export function timesOf({ index, start, end, how }: ChunkTime): ChunkTimes {
  return { rows: Float64Array.of(index, start, end, ENDS.indexOf(how)), leftOut: 0 }
}

/** Replaces positions by indices. */
export function withIndices({ rows, leftOut }: ChunkTimes, indexOf: (position: number) => number): ChunkTimes {
  return { rows: rows.map((value, at) => (at % FIELDS === 0 ? indexOf(value) : value)), leftOut }
}

/** Iterates over the records. */
export function* readTimes({ rows }: ChunkTimes): Generator<ChunkTime> {
  for (let at = 0; at < rows.length; at += FIELDS)
    yield { index: rows[at]!, start: rows[at + 1]!, end: rows[at + 2]!, how: ENDS[rows[at + 3]!]! }
}

/** Returns whether times that a process of tasks reported are valid for a batch of `chunks` chunks. */
export function areTimes(rows: Float64Array, chunks: number): boolean {
  if (rows.length % FIELDS !== 0 || rows.length > MOST_UNUSUAL * FIELDS) return false
  const isWhole = (value: number, below: number): boolean => Number.isInteger(value) && value >= 0 && value < below
  const isTime = (ms: number): boolean => ms >= 0 && ms < Number.MAX_SAFE_INTEGER
  for (let at = 0; at < rows.length; at += FIELDS) {
    const isGood = isWhole(rows[at]!, chunks) && isTime(rows[at + 1]!) && isTime(rows[at + 2]!)
    if (!isGood || !isWhole(rows[at + 3]!, ENDS.length)) return false
  }
  return true
}
