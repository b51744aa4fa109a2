import { availableParallelism } from 'node:os'
import pDefer, { type DeferredPromise } from 'p-defer'
import { StoppedError } from '../../common/errors.ts'
import { FairQueue } from '../../lib/fair-queue.ts'
import type { CallEnd, CallOptions, CallPool, TaskCall } from './calls.ts'
import type { DriverEnd } from './messages.ts'

/** The limit of jobs that one peer drives at a time; other jobs wait. */
const MOST = 1024
/** The limit of idle threads. */
const MOST_IDLE = 4
/** The limit of threads that start at a time. Each start keeps a processor busy, so more starts would not be faster, and would starve the peer. */
const MOST_STARTING = availableParallelism()

/** A function that runs a driver. The caller must call the function exactly once. */
export type DriverThread = (options: Omit<CallOptions, 'handler'>) => TaskCall

export interface DriverThreadsOptions {
  /** The limit of threads with a job. */
  most?: number
  /** The limit of threads that start at a time. */
  mostStarting?: number
  /** Whether to start another thread as soon as a job takes a thread: for threads that start slowly and run only one job. */
  keepsSpare?: boolean
}

/**
 * The threads that drive jobs, one thread for each job. State that a job leaves behind must not reach another job, so a thread drives another
 * job only if its last job has left no state behind; otherwise the thread is terminated. Always starting a new thread would take longer than
 * the rest of a small job.
 */
export class DriverThreads {
  readonly #start: () => CallPool
  readonly #options: Required<DriverThreadsOptions>
  /** Threads without a job. Each thread is a pool of a single thread. */
  readonly #idle: CallPool[] = []
  readonly #starting = new Set<CallPool>()
  readonly #busy = new Set<CallPool>()
  readonly #ending = new Set<Promise<void>>()
  readonly #waiting = new FairQueue<DeferredPromise<CallPool>>()
  #stopped = false

  /** @param start - makes a pool of one thread or process */
  constructor(start: () => CallPool, options: DriverThreadsOptions = {}) {
    this.#start = start
    this.#options = { most: MOST, mostStarting: MOST_STARTING, keepsSpare: false, ...options }
  }

  /** Starts a thread in advance, unless a thread is already idle or starting. */
  prepare(): void {
    if (this.#stopped || this.#idle.length > 0 || this.#starting.size > 0) return
    this.#startOne()
  }

  /**
   * Takes a thread for one driver; waits while too many threads are busy. The caller must call the returned function. After an abort, rejects
   * with the signal's reason.
   *
   * @param by - the client; if several clients wait, the clients take turns
   */
  async take({
    signal,
    by
  }: {
    signal?: AbortSignal | undefined
    by?: string | undefined
  } = {}): Promise<DriverThread> {
    signal?.throwIfAborted()
    if (this.#stopped) throw new StoppedError('the threads were stopped')
    const thread = await this.#next(by, signal)
    return options => {
      const call = thread.call({ ...options, handler: 'runDriver' })
      // This handler is registered first, so that the thread is already free when the caller learns that the call has ended.
      void call.ended.then(end => this.#back(thread, end))
      return call
    }
  }

  /** Ends all threads; running calls end as cancelled. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      next.reject(new StoppedError('the threads were stopped'))
    const all = [...this.#idle.splice(0), ...this.#starting, ...this.#busy]
    await Promise.all(all.map(thread => this.#end(thread)))
    await Promise.all(this.#ending)
  }

  async #next(by: string | undefined, signal: AbortSignal | undefined): Promise<CallPool> {
    const waiting = pDefer<CallPool>()
    const leave = (): void => {
      this.#waiting.remove(by, waiting)
      waiting.reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      this.#waiting.push(by, waiting)
      this.#give()
      return await waiting.promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  /** Assigns idle threads to waiting drivers, and starts the threads that are missing. */
  #give(): void {
    if (this.#stopped) return
    const { most, mostStarting, keepsSpare } = this.#options
    while (this.#waiting.size > 0 && this.#idle.length > 0 && this.#busy.size < most) {
      const thread = this.#idle.pop()!
      this.#busy.add(thread)
      this.#waiting.shift()!.resolve(thread)
      if (keepsSpare) this.prepare()
    }
    while (this.#starting.size < Math.min(this.#waiting.size, most - this.#busy.size, mostStarting)) {
      try {
        this.#startOne()
      } catch (error) {
        this.#waiting.shift()!.reject(error)
      }
    }
  }

  #startOne(): void {
    const thread = this.#start()
    const { ended } = thread.call({ handler: 'runNothing', data: {} })
    this.#starting.add(thread)
    // Called even if the start has failed: then the next job gets the error.
    const started = (): void => {
      this.#starting.delete(thread)
      this.#free(thread)
      this.#give()
    }
    ended.then(started, started)
  }

  #back(thread: CallPool, end: CallEnd): void {
    this.#busy.delete(thread)
    if (isReusable(end)) this.#free(thread)
    // No caller waits until the thread has ended.
    else void this.#end(thread)
    this.#give()
  }

  #free(thread: CallPool): void {
    if (!this.#stopped && this.#idle.length < MOST_IDLE) this.#idle.push(thread)
    else void this.#end(thread)
  }

  #end(thread: CallPool): Promise<void> {
    const ending = thread.stop().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
    return ending
  }
}

/** Whether the job was closed and has left no state behind in its thread. */
function isReusable(end: CallEnd): boolean {
  return end.type !== 'died' && (end.result as DriverEnd | undefined)?.reusable === true
}
