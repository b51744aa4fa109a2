import { AsyncLocalStorage } from 'node:async_hooks'
import { formatWithOptions } from 'node:util'
import type { TaskFunction } from '../../common/errors.ts'
import { type LogSink, MAX_LINE } from './log-sink.ts'

type Stream = 'stdout' | 'stderr'

const storage = new AsyncLocalStorage<Scope>()

/** The scope of the running call. It is the fallback for code that has lost its async context (in a native callback). */
let running: Scope | undefined

/** The scope to which the current code belongs, also if the code runs after an `await`. */
export function currentScope(): Scope | undefined {
  return storage.getStore() ?? running
}

/** One call of one of the user's functions. Log lines and unhandled errors of the function belong to this scope. */
export class Scope {
  readonly function: TaskFunction
  readonly index: number | undefined
  readonly #sink: LogSink
  #partial: Record<Stream, string> | undefined
  #crash: ((error: unknown) => void) | undefined

  constructor(fn: TaskFunction, index: number | undefined, sink: LogSink) {
    this.function = fn
    this.index = index
    this.#sink = sink
  }

  /**
   * Calls `use` in this scope. The scope ends with the call. Returns a promise only if `use` returns a promise, because a wait for each tiny
   * chunk would take longer than the chunk.
   */
  run<Value>(use: () => Value, onEnd: () => void = noop): Value | Promise<Awaited<Value>> {
    let waits = false
    try {
      running = this
      const value = storage.run(this, use)
      if (!isThenable(value)) return value
      waits = true
      return this.#settle(value as PromiseLike<Awaited<Value>>, onEnd)
    } finally {
      if (!waits) {
        this.end()
        onEnd()
      }
    }
  }

  /** Waits for the promise. If async code of the user leaves an error unhandled, the wait rejects with this error. */
  async #settle<Value>(promise: PromiseLike<Value>, onEnd: () => void): Promise<Value> {
    try {
      return await new Promise<Value>((resolve, reject) => {
        this.#crash = reject
        promise.then(resolve, reject)
      })
    } finally {
      this.end()
      onEnd()
    }
  }

  /** Ends the call, and prints an unfinished line. Errors after the end do not fail the call. */
  end(): void {
    this.#crash = undefined
    if (running === this) running = undefined
    if (this.#partial === undefined) return
    for (const stream of ['stdout', 'stderr'] as const) {
      if (this.#partial[stream] !== '') this.#line(stream, this.#partial[stream])
    }
    this.#partial = undefined
  }

  /** Handles an uncaught exception or rejection. */
  unhandled(error: unknown): void {
    if (this.#crash !== undefined) {
      this.#crash(error)
      return
    }
    this.write('stderr', `${formatWithOptions({}, 'unhandled error after the call had ended:', error)}\n`)
    this.end()
  }

  log(...values: unknown[]): void {
    this.write('stdout', `${formatWithOptions({ colors: false }, ...values)}\n`)
  }

  write(stream: Stream, text: string): void {
    this.#partial ??= { stdout: '', stderr: '' }
    const lines = (this.#partial[stream] + text).split('\n')
    const rest = lines.pop() as string
    // A line is cut at the limit, so text beyond the limit need not be buffered.
    this.#partial[stream] = rest.length > MAX_LINE ? rest.slice(0, MAX_LINE + 1) : rest
    for (const line of lines) this.#line(stream, line)
  }

  #line(stream: Stream, line: string): void {
    this.#sink.line({ function: this.function, index: this.index, stream, line: line.replace(/\r$/, '') })
  }
}

function noop(): void {}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    'then' in value &&
    typeof value.then === 'function'
  )
}
