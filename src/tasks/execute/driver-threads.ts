import { availableParallelism } from 'node:os'
import { StoppedError } from '../../common/errors.ts'
import { type Deferred, deferred } from '../../lib/deferred.ts'
import { FairQueue } from '../../lib/fair-queue.ts'
import type { CallEnd, CallOptions, CallPool, TaskCall } from './calls.ts'
import type { DriverEnd } from './messages.ts'

/** Jobs that one peer drives at a time; others wait. */
const MOST = 1024
/** Threads without a job that are kept at most. */
const MOST_IDLE = 4
/**
 * Threads that start at a time. Each keeps a processor busy until it has: more of them are no sooner ready, and the peer itself would get no
 * processor among them.
 */
const MOST_STARTING = availableParallelism()

/** Runs a driver, once. */
export type DriverThread = (options: Omit<CallOptions, 'handler'>) => TaskCall

export interface DriverThreadsOptions {
  /** Threads with a job. */
  most?: number
  /** Threads that start at a time. */
  mostStarting?: number
  /** Starts another thread as soon as one is taken: for threads that are slow to start and never used again. */
  keepsSpare?: boolean
}

/**
 * The threads that drive jobs, one each. What a job leaves behind must not reach another one: a thread goes on with the next only where
 * its last job has left nothing, and else it is ended. To start one for each would take longer than all the rest of a small job.
 */
export class DriverThreads {
  readonly #start: () => CallPool
  readonly #options: Required<DriverThreadsOptions>
  /** Each a pool of one thread. Those without a job. */
  readonly #idle: CallPool[] = []
  readonly #starting = new Set<CallPool>()
  readonly #busy = new Set<CallPool>()
  readonly #ending = new Set<Promise<void>>()
  readonly #waiting = new FairQueue<Deferred<CallPool>>()
  #stopped = false

  /** @param start - makes a pool of one thread or process */
  constructor(start: () => CallPool, options: DriverThreadsOptions = {}) {
    this.#start = start
    this.#options = { most: MOST, mostStarting: MOST_STARTING, keepsSpare: false, ...options }
  }

  /** Starts a thread before a job needs it, unless one is there. */
  prepare(): void {
    if (this.#stopped || this.#idle.length > 0 || this.#starting.size > 0) return
    this.#startOne()
  }

  /**
   * A thread of its own for one driver, which has to call it; waits for one where there are many, or many start. Rejects with the signal's
   * reason.
   *
   * @param by - on whose behalf: where several wait, each has its turn
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
      // Registered first, so that the thread is free when others see the call end.
      void call.ended.then(end => this.#back(thread, end))
      return call
    }
  }

  /** Ends all threads; calls that run end as cancelled. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      next.reject(new StoppedError('the threads were stopped'))
    const all = [...this.#idle.splice(0), ...this.#starting, ...this.#busy]
    await Promise.all(all.map(thread => this.#end(thread)))
    await Promise.all(this.#ending)
  }

  async #next(by: string | undefined, signal: AbortSignal | undefined): Promise<CallPool> {
    const waiting = deferred<CallPool>()
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

  /** Gives the threads without a job to those who wait, and starts as many as they still need. */
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
    // One that does not start shows it to the job that comes.
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
    // Nobody has to wait for that.
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

/** Its job was closed, and has said what it has left. */
function isReusable(end: CallEnd): boolean {
  return end.type !== 'died' && (end.result as DriverEnd | undefined)?.reusable === true
}
