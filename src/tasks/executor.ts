import { resolve } from 'node:path'
import { InvalidOptionError } from '../errors.ts'
import { type BatchHandlers, type EncodedChunk, runChunks } from './batch.ts'
import type { CodeStore } from './code-store.ts'
import { type DriverOptions, type JobDriver, ThreadDriver } from './driver.ts'
import { checkedPackages } from './external-packages.ts'
import { ThreadPool } from './thread-pool.ts'

export type { BatchHandlers, ChunkOutcome, EncodedChunk } from './batch.ts'
export type { JobDriver } from './driver.ts'
export type { LogLine } from './messages.ts'

export interface ExecutorOptions {
  /** Chunks that run at a time. */
  slots: number
  codeStore: CodeStore
  /** npm packages that tasks may load from `cwd`. Default none. */
  external?: readonly string[]
  /** Default: the current folder. */
  cwd?: string
  /**
   * The heap that a thread may use, in MiB. Default: Node's own limit. A thread that exceeds it is ended, in most cases: a
   * single built-in call that allocates much at the limit (a Map that grows, `Array.prototype.fill`) ends the whole
   * process, on Node 24 more often than on 20. Typed arrays do not count.
   */
  maxHeapMb?: number
}

export interface Batch {
  /** The task's bundle, which the code store holds. */
  sha256: string
  chunks: readonly EncodedChunk[]
  /** Aborts `context.signal`; a thread that has not come back 500 ms later is ended. */
  signal?: AbortSignal
}

/** Jobs that one peer drives at a time; each has a thread. */
const MAX_DRIVERS = 1024

/** Runs the user's code in worker threads: chunks in `slots` threads, and each job's driver in one of its own. */
export class Executor {
  readonly slots: number
  readonly #codeStore: CodeStore
  readonly #chunkThreads: ThreadPool
  readonly #driverThreads: ThreadPool

  constructor({ slots, codeStore, external = [], cwd = '.', maxHeapMb }: ExecutorOptions) {
    if (!Number.isSafeInteger(slots) || slots < 1) {
      throw new InvalidOptionError(`slots must be a whole number of at least 1, not ${slots}`)
    }
    this.slots = slots
    this.#codeStore = codeStore
    const settings = { external: checkedPackages(external), cwd: resolve(cwd), lenient: false }
    this.#chunkThreads = new ThreadPool({ threads: slots, settings, maxHeapMb, keep: true })
    // A fresh thread for each job: what a module remembers of one must not reach the next.
    this.#driverThreads = new ThreadPool({ threads: MAX_DRIVERS, settings, maxHeapMb, keep: false })
  }

  /** Batches that are running. */
  get busy(): number {
    return this.#chunkThreads.busy
  }

  /**
   * Runs chunks one after the other on one thread; resolves when each has an outcome. After an abort, chunks without an
   * outcome get none, and the call rejects with the signal's reason once the thread is back or ended.
   */
  async runBatch({ sha256, chunks, signal }: Batch, handlers: BatchHandlers): Promise<void> {
    const lease = this.#codeStore.lease(sha256)
    try {
      await runChunks(this.#chunkThreads, lease.file, chunks, signal, handlers)
    } finally {
      lease.release()
    }
  }

  /** Starts the driver of one job. A module that does not load shows in the first call. */
  async openDriver({ sha256, ...options }: Omit<DriverOptions, 'file'> & { sha256: string }): Promise<JobDriver> {
    const lease = this.#codeStore.lease(sha256)
    const driver = new ThreadDriver(this.#driverThreads, { ...options, file: lease.file })
    driver.ended.then(() => lease.release())
    return driver
  }

  /** Ends all threads; what runs rejects with StoppedError. */
  async stop(): Promise<void> {
    await Promise.all([this.#chunkThreads.stop(), this.#driverThreads.stop()])
  }
}
