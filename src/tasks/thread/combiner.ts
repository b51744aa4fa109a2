import { decodeAt } from '../values/payload.ts'
import type { Call } from './call.ts'
import type { Task } from './load-task.ts'
import { isThenable } from './scope.ts'

/**
 * Combines neighbouring partials, from left to right. All partials are decoded from bytes, so that workers and the leader get the same result.
 *
 * @param ends - the offset in `bytes` where the first partial starts, and then the offset where each partial ends
 * @param first - the index of the first partial
 * @returns a promise only if `combine` returns a promise
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
  // All calls of `combine` share one scope, because creating a scope takes longer than most calls.
  return call.invoke('combine', first, () => combineFrom(partialAt(0), 1))
}
