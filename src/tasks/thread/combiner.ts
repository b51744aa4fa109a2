import { decodeAt } from '../values/payload.ts'
import type { Call } from './call.ts'
import type { Task } from './load-task.ts'
import { isThenable } from './scope.ts'

/**
 * Combines neighbouring partials, from left to right. The inputs are always decoded first, so that workers and the leader compute the same.
 *
 * @param ends - the start of the first partial in `bytes`, then the end of each partial
 * @param first - the index of the first partial
 * @returns a promise only if `combine` returns one
 */
export function combineAll(
  call: Call,
  task: Pick<Task, 'combine'>,
  bytes: Uint8Array,
  ends: readonly number[],
  first: number
): unknown {
  const partialAt = (i: number): unknown => decodeAt(bytes, ends[i]!, ends[i + 1]!, 'partial')
  const combineFrom = (value: unknown, from: number): unknown => {
    let left = value
    for (let i = from; i < ends.length - 1; i++) {
      const made = task.combine?.(left, partialAt(i))
      if (isThenable(made)) return Promise.resolve(made).then(value => combineFrom(value, i + 1))
      left = made
    }
    return left
  }
  // One scope for all calls of `combine`: a scope for each would cost more than most calls.
  return call.invoke('combine', first, () => combineFrom(partialAt(0), 1))
}
