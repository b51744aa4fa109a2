import { InvalidOptionError } from '../../common/errors.ts'
import { filterIndexed, type IndexedPack, NOTHING_PACKED } from '../values/pack.ts'
import { CANCEL_GRACE, type CallEnd, type CallPool, type TaskCall } from './calls.ts'
import { type ChunkTimes, timesOf, withIndices } from './chunk-times.ts'
import { chunkTimedOut, endedUnder, type TaskFailure } from './failure.ts'
import { CHUNKS_A_GROUP } from './group.ts'
import type { FailedChunk, LogLine, ThreadOutcomes } from './messages.ts'
import type { Stop } from './shared-state.ts'

/** The interval (ms) at which the main thread checks which chunk runs. */
const LOOK_EVERY = 25

/** The outcomes of some chunks. */
export interface Outcomes {
  /** The partials of chunks that returned. */
  partials: IndexedPack
  /** Combined partials of whole groups, by the index of each group's first chunk. */
  combined?: IndexedPack | undefined
  failed: readonly FailedChunk[]
  /** If requested, the start and end times of these chunks and of cancelled chunks. */
  times?: ChunkTimes | undefined
}

export interface BatchHandlers {
  /** Called with new outcomes; `busyMs` is the time that the thread spent since the previous outcomes. */
  onOutcomes(outcomes: Outcomes, busyMs: number): void
  /** Called when a chunk runs. For a chunk that takes less than some 25 ms, this function may not be called before the outcome arrives. */
  onStarted?(index: number): void
  onLog?(line: LogLine): void
}

/** A running batch: a promise that settles when the batch ends, with a method that cancels single chunks. */
export interface BatchRun extends Promise<void> {
  /**
   * Cancels a chunk, which then has no outcome. A waiting chunk is skipped. If the chunk runs, its `context.signal` aborts, and if the
   * chunk has not returned 500 ms later, its thread is terminated. The rest of the batch runs, if necessary in another thread. The call
   * has no effect on a chunk that has an outcome or is not in the batch.
   */
  cancel(index: number): void
}

export interface ChunksToRun {
  file: string
  chunks: IndexedPack
  signal?: AbortSignal | undefined
  chunkTimeout?: number | undefined
  combine?: boolean | undefined
  times?: boolean | undefined
}

/**
 * Runs chunks on one thread, one after the other. When the thread dies, only the running chunk fails; the next chunks run in another
 * thread.
 */
export function runChunks(pool: CallPool, batch: ChunksToRun, handlers: BatchHandlers): BatchRun {
  checkChunkTimeout(batch.chunkTimeout)
  const runner = new BatchRunner(pool, batch, handlers)
  return Object.assign(runner.run(), { cancel: (index: number) => runner.cancel(index) })
}

/** @throws InvalidOptionError if `chunkTimeout` is not a duration */
export function checkChunkTimeout(chunkTimeout: number | undefined): void {
  if (chunkTimeout === undefined || chunkTimeout > 0) return
  throw new InvalidOptionError(`chunkTimeout must be a number of milliseconds above 0, not ${chunkTimeout}`)
}

/** One call into a thread, for the chunks that have no outcome yet. */
interface Attempt {
  call: TaskCall
  /** Maps positions in the batch to positions in the call. Undefined: the call has the whole batch. */
  flags: Map<number, number> | undefined
}

class BatchRunner {
  readonly #pool: CallPool
  readonly #batch: ChunksToRun
  readonly #handlers: BatchHandlers
  /** One byte for each position of the batch: 1 if the chunk has no outcome yet and is not cancelled, otherwise 0. */
  readonly #missing: Uint8Array
  #missingCount: number
  /** Maps the index of each chunk to its position; created on demand. */
  #positions: Map<number, number> | undefined
  #attempt: Attempt | undefined
  #looking: NodeJS.Timeout | undefined
  #grace: NodeJS.Timeout | undefined
  /** The running chunk, or the first chunk of the group that is being combined; `since` is the time when `#look` first saw it running. */
  #running: { function: 'run' | 'combine'; index: number; since: number } | undefined
  /** The value of `#running` at the end of the last attempt. */
  #lastSeen: { index: number; since: number } | undefined
  #combine: boolean
  #outcomes = 0
  /** The time at which this attempt began or last sent outcomes. */
  #heardAt = 0

  constructor(pool: CallPool, batch: ChunksToRun, handlers: BatchHandlers) {
    this.#pool = pool
    this.#batch = batch
    this.#handlers = handlers
    this.#missingCount = batch.chunks.indices.length
    this.#missing = new Uint8Array(this.#missingCount).fill(1)
    this.#combine = batch.combine ?? false
  }

  async run(): Promise<void> {
    let blame = false
    while (this.#missingCount > 0) {
      this.#outcomes = 0
      const end = asDied(await this.#try())
      if (end.type === 'cancelled') throw end.reason
      if (this.#missingCount === 0) return
      // The first death of a thread before any outcome may be chance. After the second such death, the first chunk fails.
      const isExplained = this.#explain(end, blame)
      blame = this.#outcomes === 0 && !isExplained
    }
  }

  cancel(index: number): void {
    if (!this.#take(this.#positionOf(index)) || this.#attempt === undefined) return
    this.#stop(index, 'cancelled')
    // The thread may start this chunk before it learns of the cancellation, so the runner must watch the thread.
    this.#startLooking()
    this.#look()
  }

  async #try(): Promise<CallEnd> {
    const { file, signal, chunkTimeout, chunks: all } = this.#batch
    const combine = this.#combine
    const times = this.#batch.times ?? false
    this.#heardAt = performance.now()
    const isWhole = this.#missingCount === all.indices.length
    const chunks = isWhole ? all : filterIndexed(all, (_, position) => this.#missing[position] === 1)
    const positions = isWhole ? undefined : Uint32Array.from(all.indices.keys()).filter(at => this.#missing[at] === 1)
    // The thread gets a copy of the bytes, because the caller may have to send the bytes to another peer.
    const bytes = new Uint8Array(chunks.bytes)
    const lengths = new Uint32Array(chunks.lengths)
    const indices = Float64Array.from(chunks.indices)
    const call = this.#pool.call({
      handler: 'runBatch',
      data: { file, lengths, bytes, indices, chunkTimeout, combine, times },
      chunks: indices.length,
      transfer: [bytes.buffer, lengths.buffer, indices.buffer],
      signal,
      onMessage: message => {
        if (message.type === 'log') for (const line of message.lines) this.#handlers.onLog?.(line)
        if (message.type === 'outcomes') this.#onOutcomes(message, positions)
      }
    })
    const flags = positions && new Map(Array.from(positions, (position, flag) => [position, flag]))
    this.#attempt = { call, flags }
    if (this.#handlers.onStarted !== undefined || chunkTimeout !== undefined) this.#startLooking()
    try {
      return await call.ended
    } finally {
      clearInterval(this.#looking)
      clearTimeout(this.#grace)
      this.#looking = undefined
      this.#grace = undefined
      this.#lastSeen = this.#running
      this.#running = undefined
    }
  }

  #onOutcomes(
    { positions: told, combined, failed, busyMs, lengths, bytes, times }: ThreadOutcomes,
    attempt: Uint32Array | undefined
  ): void {
    const { indices: all } = this.#batch.chunks
    this.#heardAt = performance.now()
    const positionOf = (position: number): number => (attempt === undefined ? position : attempt[position]!)
    const indices: number[] = new Array(told.length)
    const wanted = new Uint8Array(told.length)
    let count = 0
    for (let i = 0; i < told.length; i++) {
      const position = positionOf(told[i] as number)
      indices[i] = all[position] as number
      if (!this.#take(position)) continue
      wanted[i] = 1
      count += 1
    }
    const partials = { indices, lengths, bytes }
    const isWhole = count === told.length
    // A combined group counts only if each of its chunks counts. A lying process may report groups that contain none of its chunks.
    const groups = combined !== undefined && isWhole && isPartOf(combined.positions, told) ? combined : undefined
    this.#report(
      {
        partials: isWhole ? partials : filterIndexed(partials, (_, i) => wanted[i] === 1),
        combined: groups && {
          ...groups,
          indices: Array.from(groups.positions, position => all[positionOf(position)] as number)
        },
        failed: failed.filter(({ index }) => this.#take(this.#positionOf(index))),
        ...(times && { times: withIndices(times, position => all[positionOf(position)] as number) })
      },
      busyMs
    )
  }

  /** Passes outcomes to the handler. */
  #report(outcomes: Outcomes, busyMs: number): void {
    const count = outcomes.partials.indices.length + outcomes.failed.length
    this.#outcomes += count
    if (count > 0 || outcomes.times !== undefined) this.#handlers.onOutcomes(outcomes, busyMs)
  }

  /** Fails those of the chunks that have no outcome yet. Returns whether at least one chunk had no outcome. */
  #fail(indices: readonly number[], failure: TaskFailure, times?: ChunkTimes): boolean {
    const failed = indices.filter(index => this.#take(this.#positionOf(index)))
    this.#report(
      { partials: NOTHING_PACKED, failed: failed.map(index => ({ index, failure })), ...(times && { times }) },
      0
    )
    return failed.length > 0
  }

  /** The position of a chunk in the batch; -1: the chunk is not in the batch. */
  #positionOf(index: number): number {
    this.#positions ??= new Map(this.#batch.chunks.indices.map((each, position) => [each, position]))
    return this.#positions.get(index) ?? -1
  }

  /** Marks the chunk at this position as no longer missing. Returns whether the chunk was missing before. */
  #take(position: number): boolean {
    if (this.#missing[position] !== 1) return false
    this.#missing[position] = 0
    this.#missingCount -= 1
    return true
  }

  #isMissing(index: number): boolean {
    return this.#missing[this.#positionOf(index)] === 1
  }

  /** Whether any chunk of a group has no outcome yet. */
  #isGroupMissing(first: number): boolean {
    for (let i = 0; i < CHUNKS_A_GROUP; i++) if (this.#isMissing(first + i)) return true
    return false
  }

  #startLooking(): void {
    this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY)
  }

  /** Reads which chunk runs. A chunk runs only once in an attempt, so a chunk that ran at the last reading has not stopped since. */
  #look(): void {
    const activity = this.#attempt?.call.activity
    if (activity?.index === undefined || (activity.function !== 'run' && activity.function !== 'combine')) return
    const { function: fn, index } = activity
    if (index !== this.#running?.index || fn !== this.#running.function) {
      this.#running = { function: fn, index, since: performance.now() }
      clearTimeout(this.#grace)
      this.#grace = undefined
      if (fn === 'run' && this.#isMissing(index)) this.#handlers.onStarted?.(index)
    }
    const { chunkTimeout } = this.#batch
    const isLate = chunkTimeout !== undefined && performance.now() - this.#running.since > chunkTimeout
    if (fn === 'combine') {
      if (isLate || !this.#isGroupMissing(index)) this.#end(index)
      return
    }
    if (isLate && this.#isMissing(index)) this.#stop(index, 'timed-out')
    if (this.#stopOf(index) !== undefined) this.#end(index)
  }

  #stop(index: number, stop: Stop): void {
    const flag = this.#flagOf(index)
    if (flag >= 0 && this.#stopOf(index) !== 'cancelled') this.#attempt?.call.stop(flag, stop)
  }

  #stopOf(index: number): Stop | undefined {
    const flag = this.#flagOf(index)
    return flag < 0 ? undefined : this.#attempt?.call.stopOf(flag)
  }

  /** The position of a chunk in the current call. A number below 0 means that the call does not have the chunk. */
  #flagOf(index: number): number {
    const position = this.#positionOf(index)
    if (this.#attempt === undefined || position < 0) return -1
    const { flags } = this.#attempt
    return flags === undefined ? position : (flags.get(position) ?? -1)
  }

  /** Aborts the signal of the running chunk, and terminates the thread if the chunk ignores it. */
  #end(index: number): void {
    if (this.#grace !== undefined || this.#attempt === undefined) return
    const { call } = this.#attempt
    const fn = this.#running?.function
    call.post({ type: 'stop-chunk' })
    this.#grace = setTimeout(() => {
      const { activity } = call
      if (activity?.index === index && activity.function === fn) call.kill()
    }, CANCEL_GRACE)
  }

  /** Fails the chunks that caused the death of a thread. Returns false if the cause is unknown. */
  #explain(end: Extract<CallEnd, { type: 'died' }>, blame: boolean): boolean {
    const { activity } = end
    const left = this.#batch.chunks.indices.filter((_, position) => this.#missing[position] === 1)
    if (activity?.function === 'load') {
      return this.#fail(left, endedUnder('load', end))
    }
    if (activity?.function === 'combine') {
      // `combine` caused the death, so no chunk fails. The leader gets the partials one by one, and combines the partials itself.
      this.#combine = false
      return true
    }
    const running = activity?.index
    const stop = running === undefined ? undefined : this.#stopOf(running)
    if (stop === 'cancelled') return true
    const culprit = running !== undefined && this.#isMissing(running) ? running : blame ? left[0] : undefined
    if (culprit === undefined) return false
    const isLate = stop === 'timed-out' && culprit === running
    const failure = isLate ? chunkTimedOut(culprit, this.#batch.chunkTimeout ?? 0) : endedUnder('run', end, culprit)
    return this.#fail([culprit], failure, this.#batch.times ? this.#endedWithThread(culprit, isLate) : undefined)
  }

  /** The times of a chunk that died with its thread. The start is the time when `#look` first saw the chunk, or else the time of the last outcomes. */
  #endedWithThread(index: number, isLate: boolean): ChunkTimes {
    const since = this.#lastSeen?.index === index ? this.#lastSeen.since : this.#heardAt
    const end = Date.now()
    return timesOf({ index, start: end - (performance.now() - since), end, how: isLate ? 'timed-out' : 'failed' })
  }
}

/** Converts the return of a call with missing outcomes to a death: such a call returns only if the task forges the reports of its process. */
function asDied(end: CallEnd): Exclude<CallEnd, { type: 'done' }> {
  if (end.type !== 'done') return end
  return { type: 'died', ran: 'process', why: 'though its code says that all is done', activity: undefined }
}

/** Whether `all` contains each element of `some`, in the same order. */
function isPartOf(some: Uint32Array, all: Uint32Array): boolean {
  let at = 0
  return some.every(each => {
    at = all.indexOf(each, at)
    return at >= 0
  })
}
