/** When chunks ran, by the clock of the thread that ran them. Only where somebody asks for it: else there is nothing of it. */

/** How a chunk ended that ran. */
export type RunEnd = 'completed' | 'failed' | 'timed-out' | 'cancelled'

const ENDS: readonly RunEnd[] = ['completed', 'failed', 'timed-out', 'cancelled']
/** Numbers of a chunk: its position in the batch (in what is sent on: its index), its begin and end in ms since the epoch, and its {@link RunEnd}. */
const FIELDS = 4
/** Chunks a sending: tiny ones come by the thousand, and nobody looks at each. */
const MOST = 64
/** What did not go well is worth more. */
const MOST_UNUSUAL = 1_024

export interface ChunkTimes {
  rows: Float64Array
  /** Chunks that ran, too, and of which nothing is said. */
  leftOut: number
}

export interface ChunkTime {
  index: number
  start: number
  end: number
  how: RunEnd
}

/** Notes when the chunks of a batch run. */
export class TimesWriter {
  #rows: number[] = []
  #leftOut = 0

  get isEmpty(): boolean {
    return this.#rows.length === 0
  }

  /** `start` and `end` by `performance.now()`. */
  add(position: number, start: number, end: number, how: RunEnd): void {
    const most = how === 'completed' ? MOST : MOST_UNUSUAL
    if (this.#rows.length < most * FIELDS) this.#rows.push(position, start, end, ENDS.indexOf(how))
    else this.#leftOut += 1
  }

  /** What was noted since the last call. */
  take(): ChunkTimes {
    const rows = Float64Array.from(this.#rows)
    // Found anew each time: clocks are set while threads run.
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

/** A chunk of which only the main thread can tell: it has ended with its thread. */
export function timesOf({ index, start, end, how }: ChunkTime): ChunkTimes {
  return { rows: Float64Array.of(index, start, end, ENDS.indexOf(how)), leftOut: 0 }
}

/** The same with indices in the place of positions. */
export function withIndices({ rows, leftOut }: ChunkTimes, indexOf: (position: number) => number): ChunkTimes {
  return { rows: rows.map((value, at) => (at % FIELDS === 0 ? indexOf(value) : value)), leftOut }
}

/** One after the other. */
export function* readTimes({ rows }: ChunkTimes): Generator<ChunkTime> {
  for (let at = 0; at < rows.length; at += FIELDS)
    yield { index: rows[at]!, start: rows[at + 1]!, end: rows[at + 2]!, how: ENDS[rows[at + 3]!]! }
}

/** Whether these are times of chunks in a batch of so many: a process of somebody else's code may say anything. */
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
