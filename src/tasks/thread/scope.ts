import { AsyncLocalStorage } from 'node:async_hooks'
import { formatWithOptions } from 'node:util'
import type { TaskFunction } from '../../common/errors.ts'
import { type LogSink, MAX_LINE } from './log-sink.ts'

type Stream = 'stdout' | 'stderr'

const storage = new AsyncLocalStorage<Scope>()

/** The scope of the running call: the fallback where the async context is lost (in a native callback). */
let running: Scope | undefined

/** The scope of the current code, also in its async parts. */
export function currentScope(): Scope | undefined {
  return storage.getStore() ?? running
}

/** One call of one of the user's functions, which owns its log lines and unhandled errors. */
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
   * Calls `use` in this scope; the scope ends with the call. Returns a promise only if `use` does, because to wait for each tiny chunk would
   * cost more than the chunk.
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

  /** Waits for the promise. An error that the user's async code leaves unhandled rejects instead. */
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

  /** Ends the call, and prints an unfinished line. Later errors do not fail the call. */
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
    // The line is cut anyway, so the text beyond the limit is not buffered.
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
