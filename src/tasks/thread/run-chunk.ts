import type { RunContext } from '../define/types.ts'
import type { Call } from './call.ts'
import type { Task } from './load-task.ts'
import type { Scope } from './scope.ts'

/** The `context` of a chunk. It is a class, because an object literal with a getter takes ten times as long as a tiny chunk. */
export class Context implements RunContext {
  readonly index: number
  /** Logs a line. `log` is an own property, so that code can destructure the context. */
  readonly log: RunContext['log']
  readonly #call: Call
  #signal: AbortSignal | undefined

  constructor(call: Call, scope: Scope, index: number) {
    this.index = index
    this.log = (...values) => scope.log(...values)
    this.#call = call
  }

  /** The chunk's signal, created on demand, because most chunks never use it. */
  get signal(): AbortSignal {
    this.#signal ??= this.#call.signal()
    return this.#signal
  }
}

/** Calls `run`. Returns a promise only if `run` returns a promise, because a promise for each tiny chunk would take longer than the chunk. */
export function runChunk(call: Call, task: Task, chunk: unknown, index: number): unknown {
  const scope = call.scope('run', index)
  const context = new Context(call, scope, index)
  return scope.run(() => task.run(chunk, context))
}
