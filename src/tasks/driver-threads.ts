import { StoppedError } from '../errors.ts'
import type { CallEnd, CallOptions, CallPool, TaskCall } from './calls.ts'
import type { DriverEnd } from './messages.ts'

/** Jobs that one peer drives at a time; others wait. */
const MOST = 1024
/** Threads without a job that are kept at most. */
const MOST_IDLE = 4

/** Runs a driver, once. */
export type DriverThread = (options: Omit<CallOptions, 'handler'>) => TaskCall

/**
 * The threads that drive jobs, one each. What a job leaves behind must not reach another one: a thread goes on with the next only where
 * its last job has left nothing, and else it is ended. To start one for each would take longer than all the rest of a small job.
 */
export class DriverThreads {
  readonly #start: () => CallPool
  readonly #most: number
  readonly #keepsSpare: boolean
  /** Each a pool of one thread. Those without a job; the one that had one last is the last. */
  readonly #idle: CallPool[] = []
  readonly #busy = new Set<CallPool>()
  readonly #ending = new Set<Promise<void>>()
  readonly #waiting: (() => void)[] = []
  #stopped = false

  /**
   * @param start - makes a pool of one thread or process
   * @param keepsSpare - where none is ever used again, and all take long to start: once one was taken, another waits for the next job
   */
  constructor(
    start: () => CallPool,
    { most = MOST, keepsSpare = false }: { most?: number; keepsSpare?: boolean } = {}
  ) {
    this.#start = start
    this.#most = most
    this.#keepsSpare = keepsSpare
  }

  /** Starts a thread before a job needs it, unless one is there. */
  prepare(): void {
    if (this.#stopped || this.#idle.length > 0) return
    const thread = this.#start()
    this.#idle.push(thread)
    // One that does not start shows it to the job that comes.
    thread.call({ handler: 'runNothing', data: {} }).ended.catch(() => {})
  }

  /** A thread of its own for one driver, which has to call it; waits for one where there are many. Rejects with the signal's reason. */
  async take(signal?: AbortSignal): Promise<DriverThread> {
    while (this.#busy.size >= this.#most && !this.#stopped) {
      signal?.throwIfAborted()
      await this.#turn(signal)
    }
    if (this.#stopped) throw new StoppedError('the threads were stopped')
    signal?.throwIfAborted()
    const thread = this.#idle.pop() ?? this.#start()
    this.#busy.add(thread)
    if (this.#keepsSpare) this.prepare()
    return options => {
      const call = thread.call({ ...options, handler: 'runDriver' })
      return endingWith(
        call,
        call.ended.then(end => this.#back(thread, end))
      )
    }
  }

  /** Ends all threads; calls that run end as cancelled. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const go of this.#waiting.splice(0)) go()
    await Promise.all([...this.#idle.splice(0), ...this.#busy].map(thread => this.#end(thread)))
    await Promise.all(this.#ending)
  }

  #back(thread: CallPool, end: CallEnd): CallEnd {
    if (isReusable(end) && !this.#stopped && this.#idle.length < MOST_IDLE) this.#idle.push(thread)
    // Nobody has to wait for that.
    else void this.#end(thread)
    this.#busy.delete(thread)
    this.#waiting.shift()?.()
    return end
  }

  #end(thread: CallPool): Promise<void> {
    const ending = thread.stop().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
    return ending
  }

  /** Resolves when it is worth to look again. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise(resolve => {
      const go = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        const at = this.#waiting.indexOf(go)
        if (at >= 0) this.#waiting.splice(at, 1)
        resolve()
      }
      this.#waiting.push(go)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}

/** The same call, which has ended when something else has been done. */
function endingWith(call: TaskCall, ended: TaskCall['ended']): TaskCall {
  return {
    ended,
    get activity() {
      return call.activity
    },
    stopOf: position => call.stopOf(position),
    stop: (position, stop) => call.stop(position, stop),
    post: (message, transfer) => call.post(message, transfer),
    kill: () => call.kill()
  }
}

/** Its job was closed, and has said what it has left. */
function isReusable(end: CallEnd): boolean {
  return end.type !== 'died' && (end.result as DriverEnd | undefined)?.reusable === true
}
