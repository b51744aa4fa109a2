/** One run of work that must have ended before somebody else may do it. */
import { type Duty, timeToStop } from './duty.ts'

/** What the work must not outlast: a leadership, or a lock. */
export interface Tenure {
  /** The time (ms) for which it certainly still lasts: 0 if it is over, Infinity if its end is unknown. */
  remaining(): number
  /** Calls `listener` when the end of the tenure may have changed. Returns the function that removes the listener. */
  onChange(listener: () => void): () => void
  /** Returns the reason for which the work must stop. */
  lost(): Error
}

export interface StintInit {
  tenure: Tenure
  duty: Duty
  grace: number
  hasLease: boolean
  signal: AbortSignal
  /** Ends the work at once, because it is overdue. */
  end: () => void
}

/** The context of the work: when it has to stop. */
export interface StintContext {
  signal: AbortSignal
  remaining: () => number
  grace: number
}

export class Stint {
  readonly #init: StintInit
  readonly #controller = new AbortController()
  #settled: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #immediate: NodeJS.Immediate | undefined
  #isDone = false

  constructor(init: StintInit) {
    this.#init = init
  }

  /** The time that the work has from the request to stop until it must have ended, in ms. */
  get timeToStop(): number {
    return timeToStop(this.#init)
  }

  /** Runs the work, and resolves with the result of the work. Resolves with undefined if the work had to stop. */
  async run<T>(fn: (context: StintContext) => T | Promise<T>): Promise<{ value: T } | undefined> {
    const { tenure, grace, signal } = this.#init
    const stopping = this.#controller.signal
    const onAbort = (): void => this.#abort(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const ignoreChanges = tenure.onChange(() => this.#look())
    const work = (async () => await fn({ signal: stopping, remaining: () => tenure.remaining(), grace }))()
    this.#settled = work.catch(() => {})
    this.#look()
    try {
      const value = await work
      return stopping.aborted ? undefined : { value }
    } catch (error) {
      if (!stopping.aborted) throw error
      return undefined
    } finally {
      this.#isDone = true
      clearTimeout(this.#timer)
      clearImmediate(this.#immediate)
      signal.removeEventListener('abort', onAbort)
      ignoreChanges()
    }
  }

  async stop(): Promise<void> {
    this.#abort(this.#init.tenure.lost())
    await this.#settled
  }

  /** Stops the work in time, or ends the process when the work is too slow; schedules the next look. */
  #look(isRead = false): void {
    if (this.#isDone || (this.#immediate !== undefined && !isRead)) return
    this.#immediate = undefined
    const now = performance.now()
    const verdict = this.#init.duty.look(this.#init.tenure.remaining(), now)
    if (verdict === 'stop') this.#controller.abort(this.#init.tenure.lost())
    if (verdict !== 'end') this.#lookAgain(this.#init.duty.pause(this.#init.tenure.remaining(), now))
    else if (isRead) this.#init.end()
    else this.#lookAgain(0)
  }

  #lookAgain(pause: number | undefined): void {
    clearTimeout(this.#timer)
    if (pause === undefined) return
    if (pause > 0) this.#timer = setTimeout(() => this.#look(), pause)
    // If this process was paused, the messages that have arrived are read first, because one of the messages may end the work.
    else this.#immediate = setImmediate(() => (this.#immediate = setImmediate(() => this.#look(true))))
  }

  #abort(reason: unknown): void {
    if (this.#controller.signal.aborted) return
    this.#init.duty.stop(performance.now())
    this.#controller.abort(reason)
    this.#look()
  }
}
