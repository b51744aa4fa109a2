import { decodeAt } from '../values/payload.ts'
import type { Call } from './call.ts'
import type { Task } from './load-task.ts'
import { isThenable } from './scope.ts'

/**
 * Combines neighbouring partials, from left to right. What is combined has always been encoded: so the same is made of the same, on a worker
 * and on the leader.
 *
 * @param ends - where the first of them begins in `bytes`, and where each of them ends
 * @param first - the index of the first of them
 * @returns a promise only where `combine` gives one
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
  // In one go: to enter and leave for each of them would cost more than most of them do.
  return call.invoke('combine', first, () => combineFrom(partialAt(0), 1))
}
