import { InvalidOptionError } from '../errors.ts'
import { chunkTimedOut, type TaskFailure, THREAD_ENDED } from './failure.ts'
import type { LogLine, ThreadMessage } from './messages.ts'
import { pack, unpack } from './pack.ts'
import { type Stop, StopFlags } from './stop-flags.ts'
import { CANCEL_GRACE, type CallEnd, type ThreadCall, type ThreadPool } from './thread-pool.ts'

/** How often (ms) it is looked which chunk runs. */
const LOOK_EVERY = 25

export interface EncodedChunk {
  index: number
  bytes: Uint8Array
}

/** What became of a chunk: its encoded partial, or its failure. */
export interface ChunkOutcome {
  index: number
  bytes?: Uint8Array
  error?: TaskFailure
}

export interface BatchHandlers {
  /** `busyMs` is the thread's time since the previous outcomes. */
  onOutcomes(outcomes: ChunkOutcome[], busyMs: number): void
  /** A chunk is running; chunks that end within some 25 ms may only show up as outcomes. */
  onStarted?(index: number): void
  onLog?(line: LogLine): void
}

/** A batch that runs: a promise of its end, which can be told that some of its chunks are not wanted any more. */
export interface BatchRun extends Promise<void> {
  /**
   * No outcome of this chunk is reported from now on. If it waits, it is left out; if it runs, its `context.signal` is aborted,
   * and a thread that has not come back 500 ms later is ended. The rest of the batch runs, if need be in another thread. A
   * chunk that has had its outcome, or is not of the batch, is ignored.
   */
  cancel(index: number): void
}

export interface ChunksToRun {
  file: string
  chunks: readonly EncodedChunk[]
  signal?: AbortSignal | undefined
  chunkTimeout?: number | undefined
}

/**
 * Runs chunks on one thread, one after the other. When the thread dies, only the chunk that ran fails; those behind it go
 * on in another thread.
 */
export function runChunks(pool: ThreadPool, batch: ChunksToRun, handlers: BatchHandlers): BatchRun {
  checkChunkTimeout(batch.chunkTimeout)
  const runner = new BatchRunner(pool, batch, handlers)
  return Object.assign(runner.run(), { cancel: (index: number) => runner.cancel(index) })
}

/** @throws InvalidOptionError when it is no time */
export function checkChunkTimeout(chunkTimeout: number | undefined): void {
  if (chunkTimeout === undefined || chunkTimeout > 0) return
  throw new InvalidOptionError(`chunkTimeout must be a number of milliseconds above 0, not ${chunkTimeout}`)
}

/** One go at the chunks that have no outcome yet. */
interface Attempt {
  call: ThreadCall
  stops: StopFlags
  positions: Map<number, number>
}

class BatchRunner {
  readonly #pool: ThreadPool
  readonly #batch: ChunksToRun
  readonly #handlers: BatchHandlers
  /** Chunks that have no outcome yet, and are wanted. */
  readonly #missing: Map<number, EncodedChunk>
  #attempt: Attempt | undefined
  #looking: NodeJS.Timeout | undefined
  #grace: NodeJS.Timeout | undefined
  /** The chunk that runs, and since when it was seen to. */
  #running: { index: number; since: number } | undefined
  #outcomes = 0

  constructor(pool: ThreadPool, batch: ChunksToRun, handlers: BatchHandlers) {
    this.#pool = pool
    this.#batch = batch
    this.#handlers = handlers
    this.#missing = new Map(batch.chunks.map(chunk => [chunk.index, chunk]))
  }

  async run(): Promise<void> {
    let blame = false
    while (this.#missing.size > 0) {
      this.#outcomes = 0
      const end = await this.#try()
      if (end.type === 'cancelled') throw end.reason
      if (end.type === 'done') return
      // A thread that dies before any chunk may have had bad luck once; the second time the first chunk is to blame.
      const isExplained = this.#explain(end, blame)
      blame = this.#outcomes === 0 && !isExplained
    }
  }

  cancel(index: number): void {
    if (!this.#missing.delete(index) || this.#attempt === undefined) return
    this.#stop(index, 'cancelled')
    // The thread may be about to begin it.
    this.#startLooking()
    this.#look()
  }

  async #try(): Promise<CallEnd> {
    const chunks = [...this.#missing.values()]
    // The caller keeps its bytes, to send them elsewhere if need be: the thread gets a copy.
    const { lengths, bytes } = pack(chunks.map(chunk => chunk.bytes))
    const indices = Float64Array.from(chunks, chunk => chunk.index)
    const stops = new StopFlags(chunks.length)
    const { file, signal, chunkTimeout } = this.#batch
    const call = this.#pool.call({
      handler: 'runBatch',
      data: { file, lengths, bytes, indices, stops: stops.buffer, chunkTimeout },
      transfer: [bytes.buffer],
      signal,
      onMessage: message => {
        if (message.type === 'log') for (const line of message.lines) this.#handlers.onLog?.(line)
        if (message.type === 'outcomes') this.#report(outcomesOf(message), message.busyMs)
      }
    })
    this.#attempt = { call, stops, positions: new Map(chunks.map(({ index }, position) => [index, position])) }
    if (this.#handlers.onStarted !== undefined || chunkTimeout !== undefined) this.#startLooking()
    try {
      return await call.ended
    } finally {
      clearInterval(this.#looking)
      clearTimeout(this.#grace)
      this.#looking = undefined
      this.#grace = undefined
      this.#running = undefined
    }
  }

  #report(outcomes: ChunkOutcome[], busyMs: number): void {
    const wanted = outcomes.filter(({ index }) => this.#missing.delete(index))
    this.#outcomes += wanted.length
    if (wanted.length > 0) this.#handlers.onOutcomes(wanted, busyMs)
  }

  #startLooking(): void {
    this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY)
  }

  /** What runs now: a chunk that was seen before has been running since, as each is run once in an attempt. */
  #look(): void {
    const activity = this.#attempt?.call.state.activity
    if (activity?.function !== 'run' || activity.index === undefined) return
    const { index } = activity
    if (index !== this.#running?.index) {
      this.#running = { index, since: performance.now() }
      clearTimeout(this.#grace)
      this.#grace = undefined
      if (this.#missing.has(index)) this.#handlers.onStarted?.(index)
    }
    const { chunkTimeout } = this.#batch
    const isLate = chunkTimeout !== undefined && performance.now() - this.#running.since > chunkTimeout
    if (isLate && this.#missing.has(index)) this.#stop(index, 'timed-out')
    if (this.#stopOf(index) !== undefined) this.#end(index)
  }

  #stop(index: number, stop: Stop): void {
    const position = this.#attempt?.positions.get(index)
    if (position !== undefined && this.#stopOf(index) !== 'cancelled') this.#attempt?.stops.set(position, stop)
  }

  #stopOf(index: number): Stop | undefined {
    const position = this.#attempt?.positions.get(index)
    return position === undefined ? undefined : this.#attempt?.stops.get(position)
  }

  /** Aborts the signal of the chunk that runs, and ends the thread if that does not help. */
  #end(index: number): void {
    if (this.#grace !== undefined || this.#attempt === undefined) return
    const { call } = this.#attempt
    call.post({ type: 'stop-chunk' })
    this.#grace = setTimeout(() => {
      if (call.state.activity?.index === index) call.kill()
    }, CANCEL_GRACE)
  }

  /** Reports the chunks to which a thread's death is put down; false when there is none. */
  #explain({ why, activity }: Extract<CallEnd, { type: 'died' }>, blame: boolean): boolean {
    const left = [...this.#missing.keys()]
    if (activity?.function === 'load') {
      this.#report(
        left.map(index => ({ index, error: threadEnded('load', why) })),
        0
      )
      return true
    }
    const running = activity?.index
    const stop = running === undefined ? undefined : this.#stopOf(running)
    if (stop === 'cancelled') return true
    const culprit = running !== undefined && this.#missing.has(running) ? running : blame ? left[0] : undefined
    if (culprit === undefined) return false
    const isLate = stop === 'timed-out' && culprit === running
    const error = isLate ? chunkTimedOut(culprit, this.#batch.chunkTimeout ?? 0) : threadEnded('run', why, culprit)
    this.#report([{ index: culprit, error }], 0)
    return true
  }
}

function outcomesOf(message: Extract<ThreadMessage, { type: 'outcomes' }>): ChunkOutcome[] {
  const partials = unpack(message)
  const outcomes: ChunkOutcome[] = partials.map((bytes, i) => ({ index: message.indices[i] as number, bytes }))
  for (const { index, failure } of message.failed) outcomes.push({ index, error: failure })
  return outcomes
}

/** The failure of a function whose thread ended. */
export function threadEnded(fn: TaskFailure['function'], why: string, index?: number): TaskFailure {
  return { function: fn, index, name: THREAD_ENDED, message: `the thread ended: ${why}`, stack: '' }
}
