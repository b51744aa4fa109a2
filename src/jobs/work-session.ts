import { setMaxListeners } from 'node:events'
import type { Channel } from '../network/types.ts'
import type { ChunkOutcome, EncodedChunk } from '../tasks/executor.ts'
import { LineBuffer } from './line-buffer.ts'
import { OutcomeBuffer } from './outcome-buffer.ts'
import type { CodeKeeper, Runner } from './runner.ts'
import type { WorkerLogLine } from './wire-parts.ts'
import type { LeaderSays, WorkerSays, WorkMessage } from './work-messages.ts'

/** How much work (ms) a thread takes at once: long enough that starting it costs little, short enough to share evenly. */
const WORK_AT_ONCE = 10
const MOST_AT_ONCE = 2_048
/** Weight of the newest measurement of a chunk's duration. */
const WEIGHT = 0.4

interface WorkJob {
  id: string
  sha256: string
  controller: AbortController
  outcomes: OutcomeBuffer
  lines: LineBuffer<WorkerLogLine>
  /** Chunks that wait for a thread; those before `next` have been taken. */
  queue: EncodedChunk[]
  next: number
  /** ms a chunk, smoothed. */
  duration: number | undefined
}

/** What one leadership has this worker do: chunks wait in the order in which they came, and run as threads are free. */
export class WorkSession {
  readonly channel: Channel<WorkMessage>
  readonly epoch: number
  readonly #runner: Runner
  readonly #codeStore: CodeKeeper
  readonly #jobs = new Map<string, WorkJob>()
  /** Bundles that were asked for. */
  readonly #awaited = new Set<string>()
  #running = 0
  #ended = false
  /** Called when a thread is free again after the session has ended. */
  readonly #onIdle: () => void

  constructor(parts: {
    channel: Channel<WorkMessage>
    epoch: number
    runner: Runner
    codeStore: CodeKeeper
    onIdle: () => void
  }) {
    this.channel = parts.channel
    this.epoch = parts.epoch
    this.#runner = parts.runner
    this.#codeStore = parts.codeStore
    this.#onIdle = parts.onIdle
  }

  /** Threads in use. */
  get running(): number {
    return this.#running
  }

  /** @param free - threads that this session may use more */
  handle(message: LeaderSays, free: () => number): void {
    switch (message.type) {
      case 'welcome':
        this.#say({ type: 'hello', slots: this.#runner.slots })
        break
      case 'batch':
        this.#enqueue(message)
        break
      case 'release':
        this.#release(message.job)
        break
      case 'code':
        this.#keepCode(message.sha256, message.code, free)
        break
    }
    this.feed(free)
  }

  /** Gives waiting chunks to free threads. */
  feed(free: () => number): void {
    while (!this.#ended && free() > 0) {
      const job = this.#nextJob()
      if (job === undefined) return
      this.#run(job, this.#take(job, free()), free)
    }
  }

  /** The job whose turn it is: those that have waited longest come first. */
  #nextJob(): WorkJob | undefined {
    for (const job of this.#jobs.values()) {
      if (job.next === job.queue.length || !this.#hasCode(job)) continue
      this.#jobs.delete(job.id)
      this.#jobs.set(job.id, job)
      return job
    }
    return undefined
  }

  /** Stops all that runs: what is left of it counts for nobody. */
  end(reason: Error): void {
    this.#ended = true
    for (const job of this.#jobs.values()) this.#stop(job, reason)
    this.#jobs.clear()
  }

  #enqueue({ job: id, sha256, indices, chunks }: Extract<LeaderSays, { type: 'batch' }>): void {
    let job = this.#jobs.get(id)
    if (job === undefined) {
      const controller = new AbortController()
      // One listener for each thread that runs chunks of the job, not a leak.
      setMaxListeners(0, controller.signal)
      const send = (lines: WorkerLogLine[]): Promise<void> =>
        this.channel.send({ epoch: this.epoch, type: 'log', job: id, lines })
      const lines = new LineBuffer(send)
      const outcomes = new OutcomeBuffer(id, outcomes => {
        // The outcomes may end the job: what was printed must be there before.
        lines.flush()
        this.#say(outcomes)
      })
      job = {
        id,
        sha256,
        controller,
        outcomes,
        lines,
        queue: [],
        next: 0,
        duration: undefined
      }
      this.#jobs.set(id, job)
    }
    for (let i = 0; i < indices.length; i++) job.queue.push({ index: indices[i]!, bytes: chunks[i]! })
  }

  #take(job: WorkJob, free: number): EncodedChunk[] {
    const waiting = job.queue.length - job.next
    const share = Math.ceil(waiting / free)
    const quick = job.duration === undefined ? 1 : Math.max(1, Math.floor(WORK_AT_ONCE / job.duration))
    const chunks = job.queue.slice(job.next, job.next + Math.min(share, quick, MOST_AT_ONCE))
    job.next += chunks.length
    if (job.next === job.queue.length || job.next > MOST_AT_ONCE) {
      job.queue.splice(0, job.next)
      job.next = 0
    }
    return chunks
  }

  #run(job: WorkJob, chunks: EncodedChunk[], free: () => number): void {
    this.#running += 1
    const missing = new Set(chunks.map(({ index }) => index))
    const onOutcomes = (outcomes: ChunkOutcome[], busyMs: number): void => {
      for (const { index } of outcomes) missing.delete(index)
      if (outcomes.length > 0 && busyMs > 0) {
        const sample = busyMs / outcomes.length
        job.duration = job.duration === undefined ? sample : job.duration + (sample - job.duration) * WEIGHT
      }
      if (!job.controller.signal.aborted) job.outcomes.add(outcomes, busyMs)
    }
    const { sha256 } = job
    const { signal } = job.controller
    this.#runner
      .runBatch({ sha256, chunks, signal }, { onOutcomes, onLog: line => job.lines.add(line) })
      .catch((error: unknown) => {
        if (signal.aborted) return
        const failure = { function: 'load' as const, name: nameOf(error), message: messageOf(error), stack: '' }
        onOutcomes(
          [...missing].map(index => ({ index, error: { ...failure, index } })),
          0
        )
      })
      .finally(() => {
        this.#running -= 1
        if (this.#ended) {
          this.#onIdle()
          return
        }
        this.feed(free)
        // With nothing left to wait for, the outcomes go at once.
        if (!signal.aborted && (job.next === job.queue.length || job.duration === undefined || job.duration > 1)) {
          job.outcomes.flush()
        }
      })
  }

  #hasCode(job: WorkJob): boolean {
    if (this.#codeStore.has(job.sha256)) return true
    if (!this.#awaited.has(job.sha256)) {
      this.#awaited.add(job.sha256)
      this.#say({ type: 'code-request', sha256: job.sha256 })
    }
    return false
  }

  #keepCode(sha256: string, code: Uint8Array, free: () => number): void {
    if (!this.#awaited.has(sha256)) return
    this.#codeStore
      .put(sha256, code)
      .catch((error: unknown) => this.#failAll(sha256, error))
      .finally(() => {
        this.#awaited.delete(sha256)
        this.feed(free)
      })
  }

  /** The code is there and cannot be kept: whatever needs it fails here. */
  #failAll(sha256: string, error: unknown): void {
    for (const job of this.#jobs.values()) {
      if (job.sha256 !== sha256) continue
      const waiting = job.queue.splice(0).slice(job.next)
      job.next = 0
      const failure = { function: 'load' as const, name: nameOf(error), message: messageOf(error), stack: '' }
      job.outcomes.add(
        waiting.map(({ index }) => ({ index, error: { ...failure, index } })),
        0
      )
    }
  }

  #release(id: string): void {
    const job = this.#jobs.get(id)
    if (job === undefined) return
    this.#jobs.delete(id)
    this.#stop(job, new Error(`job ${id} is over`))
    // The leader answers for jobs that it has: the next job with this code must ask again.
    if (![...this.#jobs.values()].some(({ sha256 }) => sha256 === job.sha256)) this.#awaited.delete(job.sha256)
  }

  #stop(job: WorkJob, reason: Error): void {
    job.queue = []
    job.next = 0
    job.outcomes.stop()
    job.lines.stop()
    job.controller.abort(reason)
  }

  #say(message: WorkerSays): void {
    // A channel that is gone tells the worker by its close.
    this.channel.send({ epoch: this.epoch, ...message }).catch(() => {})
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
