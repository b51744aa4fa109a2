import type { RunContext } from '../types.ts'
import { type Call, isThenable } from './call.ts'
import type { Task } from './load-task.ts'

/** What `run` gave, as a value where it gave no promise: a promise for each tiny chunk would cost more than the chunk. */
export function runChunk(call: Call, task: Task, chunk: unknown, index: number): unknown {
  const scope = call.scope('run', index)
  let signal: AbortSignal | undefined
  const context: RunContext = {
    index,
    log: (...values) => scope.log(...values),
    // Made when it is asked for: most chunks never look at it.
    get signal() {
      signal ??= call.signal()
      return signal
    }
  }
  let waits = false
  try {
    const partial = scope.call(() => task.run(chunk, context))
    if (!isThenable(partial)) return partial
    waits = true
    return scope.settle(partial).finally(() => scope.end())
  } finally {
    if (!waits) scope.end()
  }
}
