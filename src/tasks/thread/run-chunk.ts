import type { RunContext } from '../define/types.ts'
import type { Call } from './call.ts'
import type { Task } from './load-task.ts'
import type { Scope } from './scope.ts'

/** A class, and no object with a getter: making one of those takes ten times what a tiny chunk does. */
export class Context implements RunContext {
  readonly index: number
  /** Of its own, so that it can be taken out of the context. */
  readonly log: RunContext['log']
  readonly #call: Call
  #signal: AbortSignal | undefined

  constructor(call: Call, scope: Scope, index: number) {
    this.index = index
    this.log = (...values) => scope.log(...values)
    this.#call = call
  }

  /** Made when it is asked for: most chunks never look at it. */
  get signal(): AbortSignal {
    this.#signal ??= this.#call.signal()
    return this.#signal
  }
}

/** What `run` gave, as a value where it gave no promise: a promise for each tiny chunk would cost more than the chunk. */
export function runChunk(call: Call, task: Task, chunk: unknown, index: number): unknown {
  const scope = call.scope('run', index)
  const context = new Context(call, scope, index)
  return scope.run(() => task.run(chunk, context))
}
