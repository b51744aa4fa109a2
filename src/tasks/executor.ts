import { resolve } from 'node:path'
import { InvalidOptionError, StoppedError } from '../common/errors.ts'
import { type BatchHandlers, type BatchRun, checkChunkTimeout, runChunks } from './execute/batch.ts'
import type { CallPool } from './execute/calls.ts'
import type { CodeLease, CodeStore } from './execute/code-store.ts'
import { type DriverOptions, type JobDriver, ThreadDriver } from './execute/driver.ts'
import { DriverThreads } from './execute/driver-threads.ts'
import { checkedPackages } from './execute/external-packages.ts'
import type { WorkerSettings } from './execute/messages.ts'
import { ThreadPool } from './execute/thread-pool.ts'
import { CheckedDriver } from './process/checked-driver.ts'
import { runQuarantined } from './process/quarantine.ts'
import { type Isolation, TaskProcesses } from './process/task-processes.ts'
import { type IndexedPack, type IndexedValue, packIndexed } from './values/pack.ts'

export type { BatchHandlers, BatchRun, Outcomes } from './execute/batch.ts'
export type { Checkpoint, DriverResume, FoldKind, FoldState, Pulled } from './execute/checkpoint.ts'
export type { JobDriver } from './execute/driver.ts'
export type { FailedChunk, LogLine } from './execute/messages.ts'
export { notEnforced } from './process/isolation-table.ts'
export type { Isolation } from './process/task-processes.ts'

export interface ExecutorOptions {
  /** The number of chunks that run at a time. */
  slots: number
  codeStore: CodeStore
  /** Names of npm packages that tasks may load from `cwd`. Default: none. */
  external?: readonly string[]
  /** The folder from which external packages are resolved. Default: the current folder. */
  cwd?: string
  /**
   * The heap limit of a thread in MiB. Default: Node's own limit. A thread that exceeds the limit is terminated. But a
   * single built-in call that allocates much memory at the limit (a Map that grows, `Array.prototype.fill`) ends the whole
   * process; this happens more often on Node 24 than on Node 20. Typed arrays do not count.
   */
  maxHeapMb?: number
  /** If this is set, tasks run in processes under Node's permission model, with these limits. Default: tasks run in threads. */
  isolation?: Isolation | undefined
}

/** The limit of jobs that one peer drives at a time if each job has its own process, which takes some 50 MB. */
const MAX_DRIVERS = 64

export interface Batch {
  /** The SHA-256 of the task's bundle, which is in the code store. */
  sha256: string
  chunks: IndexedPack
  /** An abort of this signal aborts `context.signal`. If the thread has not returned 500 ms later, the thread is terminated. */
  signal?: AbortSignal
  /**
   * The time (ms) that a chunk may run, checked every 25 ms. Default: no limit. When a chunk exceeds the time, its `context.signal` aborts. If
   * the chunk has not returned 500 ms later, its thread is terminated. In both cases the chunk fails with `ChunkTimeoutError`, and the next
   * chunks run. The time in which the module of the task loads does not count.
   */
  chunkTimeout?: number | undefined
  /** Whether to also report combined partials of whole groups, if the task has `combine`. Default false. */
  combine?: boolean | undefined
  /** Whether to add start and end times to the outcomes. Default false. */
  times?: boolean | undefined
}

/** One chunk that runs in its own process. The fields have the same meaning as in {@link Batch}. */
export interface QuarantinedChunk {
  sha256: string
  chunk: IndexedValue
  signal?: AbortSignal
  chunkTimeout?: number | undefined
  times?: boolean | undefined
}

/** Options of a new driver. */
export interface DriverOpening extends Omit<DriverOptions, 'file'> {
  /** The SHA-256 of the task's bundle, which is in the code store. */
  sha256: string
  /** The client of the job. If jobs of several clients wait, the clients take turns. Default: no client. */
  by?: string | undefined
  /** Called when the driver has a thread. The thread waits for the promise. */
  whenTaken?: (() => Promise<void> | undefined) | undefined
}

/**
 * Runs the user's code in worker threads: chunks in `slots` threads, and each job's driver in a thread of its own. With `isolation`, processes
 * replace the threads.
 */
export class Executor {
  readonly slots: number
  readonly #codeStore: CodeStore
  readonly #settings: WorkerSettings
  readonly #maxHeapMb: number | undefined
  /** The processes for the user's code; undefined: the code runs in threads. */
  readonly #processes: TaskProcesses | undefined
  readonly #chunkThreads: CallPool
  readonly #driverThreads: DriverThreads
  /** The quarantined chunks that run now. */
  readonly #quarantined = new Set<Promise<void>>()
  readonly #stop = new AbortController()

  constructor({ slots, codeStore, external = [], cwd = '.', maxHeapMb, isolation }: ExecutorOptions) {
    if (!Number.isSafeInteger(slots) || slots < 1) {
      throw new InvalidOptionError(`slots must be a whole number of at least 1, not ${slots}`)
    }
    this.slots = slots
    this.#codeStore = codeStore
    const settings = { external: checkedPackages(external), cwd: resolve(cwd), lenient: false }
    this.#settings = settings
    this.#maxHeapMb = maxHeapMb
    this.#processes = isolation && new TaskProcesses({ settings, maxHeapMb, isolation })
    this.#chunkThreads = this.#pool(slots)
    this.#driverThreads = new DriverThreads(() => this.#pool(1), isolation && { most: MAX_DRIVERS, keepsSpare: true })
  }

  #pool(most: number): CallPool {
    if (this.#processes !== undefined) return this.#processes.pool({ processes: most, keep: true })
    return new ThreadPool({ threads: most, settings: this.#settings, maxHeapMb: this.#maxHeapMb, keep: true })
  }

  /** The number of batches that run now. */
  get busy(): number {
    return this.#chunkThreads.busy
  }

  /**
   * Runs chunks one after the other on one thread; resolves when each chunk has an outcome. After an abort no outcome follows, and the call
   * rejects with the signal's reason as soon as the thread has returned or ended.
   */
  runBatch({ sha256, ...batch }: Batch, handlers: BatchHandlers): BatchRun {
    let lease: CodeLease | undefined
    try {
      lease = this.#codeStore.lease(sha256)
      const run = runChunks(this.#chunkThreads, { ...batch, file: lease.file }, handlers)
      return Object.assign(
        run.finally(() => lease?.release()),
        { cancel: run.cancel }
      )
    } catch (error) {
      lease?.release()
      return Object.assign(Promise.reject(error), { cancel() {} })
    }
  }

  /**
   * Runs one chunk in its own process, in addition to the slots; resolves when the chunk has an outcome and the process has ended. If the
   * process dies (by a signal, a full heap, a crash of native code), the chunk fails with `ProcessEndedError`. After an abort there is no
   * outcome, and the call rejects with the signal's reason as soon as the process has ended.
   */
  async runQuarantined(
    { sha256, chunk, signal, chunkTimeout, times }: QuarantinedChunk,
    handlers: BatchHandlers
  ): Promise<void> {
    checkChunkTimeout(chunkTimeout)
    const lease = this.#codeStore.lease(sha256)
    const { file } = lease
    const stop = this.#stop.signal
    const either = signal === undefined ? stop : AbortSignal.any([signal, stop])
    const settings = this.#settings
    const maxHeapMb = this.#maxHeapMb
    const run =
      this.#processes === undefined
        ? runQuarantined({ file, chunk, settings, maxHeapMb, signal: either, chunkTimeout, times }, handlers)
        : this.#runQuarantinedIn(
            this.#processes.pool({ processes: 1, keep: false }),
            { file, chunk, chunkTimeout, times, signal: either },
            handlers
          )
    this.#quarantined.add(run)
    try {
      await run
    } finally {
      this.#quarantined.delete(run)
      lease.release()
    }
  }

  async #runQuarantinedIn(
    pool: CallPool,
    { chunk, ...batch }: Omit<QuarantinedChunk, 'sha256'> & { file: string },
    handlers: BatchHandlers
  ): Promise<void> {
    try {
      await runChunks(pool, { ...batch, chunks: packIndexed([chunk]) }, handlers)
    } finally {
      await pool.stop()
    }
  }

  /** Starts a thread for the next driver in advance. */
  prepareDriver(): void {
    this.#driverThreads.prepare()
  }

  /**
   * Starts the driver of one job, and waits while all driver threads are busy. Waiting clients (`by`) take turns. If the module of
   * the task does not load, the first method call on the driver rejects.
   */
  async openDriver({ sha256, by, whenTaken, ...options }: DriverOpening): Promise<JobDriver> {
    const lease = this.#codeStore.lease(sha256)
    try {
      const thread = await this.#driverThreads.take({ signal: options.signal, by })
      await whenTaken?.()?.catch((error: unknown) => {
        // Gives the thread back.
        thread({ data: {}, signal: AbortSignal.abort(error) })
        throw error
      })
      const driver = new ThreadDriver(thread, { ...options, file: lease.file })
      driver.ended.then(() => lease.release())
      return this.#processes === undefined ? driver : new CheckedDriver(driver, options.resume?.next ?? 0)
    } catch (error) {
      lease.release()
      throw error
    }
  }

  /** Ends all threads and processes; running calls reject with StoppedError. */
  async stop(): Promise<void> {
    this.#stop.abort(new StoppedError('the threads were stopped'))
    await Promise.allSettled(this.#quarantined)
    await Promise.all([this.#chunkThreads.stop(), this.#driverThreads.stop()])
    await this.#processes?.stop()
  }
}
