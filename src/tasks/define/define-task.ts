import type { IterationDefinition } from './iteration.ts'
import type { Chunks, SplitContext, TaskDefinition } from './types.ts'

/** A definition with `split`: the input is any value that structured clone can carry. */
type WithSplit<Definition, Input, Chunk> = Definition & {
  split: (input: Input, context: SplitContext) => Chunks<Chunk> | Promise<Chunks<Chunk>>
}

/** A definition without `split`: its chunks are the elements of the input. */
type WithoutSplit<Definition> = Definition & { split?: undefined }

/** A task that is not an iteration: the task has a single round. */
interface OneRound {
  start?: undefined
  next?: undefined
  until?: undefined
}

/**
 * Defines a task, which a task file exports as its default export. `defineTask` returns its argument and infers the types: from the annotated
 * type of the input follow the types in `split`, `run`, `combine`, `reduce` and `finish`. Write the functions in this order.
 *
 * - Without `split`, the chunks are the elements of the input. In this case annotate the type of the chunk in `run`.
 * - Without `reduce`, the result (or the argument of `finish`) is the array of partials, in chunk order.
 * - With `combine`, `reduce` gets one combined partial for each sixteen chunks. A worker that runs all sixteen chunks combines their partials.
 *
 * @example
 * ```ts
 * // count-squares.ts
 * import { defineTask } from 'p2p-worker'
 *
 * export default defineTask({
 *   name: 'count-squares',
 *   *split(limit: number) {
 *     for (let from = 0; from < limit; from += 10_000) yield { from, to: Math.min(from + 10_000, limit) }
 *   },
 *   run({ from, to }) {
 *     let squares = 0
 *     for (let n = from; n < to; n++) if (Number.isInteger(Math.sqrt(n))) squares++
 *     return squares
 *   },
 *   combine: (a, b) => a + b,
 *   initial: 0,
 *   reduce: (sum, partial) => sum + partial
 * })
 * ```
 * ```sh
 * npx p2p-worker run count-squares.ts --input 1000000
 * ```
 * ```text
 * 1000
 * ```
 *
 * With `next`, the task is an iteration ({@link IterationDefinition}): `start` computes the first state, each round runs all shards with the
 * state, and `next` computes the state of the next round, until `until` returns true. Write `split`, `start`, `run`, `reduce`, `next`, `until`,
 * `finish`, in this order.
 *
 * @example
 * ```ts
 * // mean-by-steps.ts
 * import { defineTask } from 'p2p-worker'
 *
 * export default defineTask({
 *   name: 'mean-by-steps',
 *   split: (numbers: number[]) => [numbers.slice(0, 2), numbers.slice(2)],
 *   start: () => 0,
 *   run: (shard, { state }) => shard.reduce((sum, number) => sum + (number - state), 0) / shard.length,
 *   initial: 0,
 *   reduce: (sum, pull) => sum + pull,
 *   next: (state, pull) => state + pull / 4,
 *   until: (_, { round }) => round === 50
 * })
 * ```
 * ```sh
 * npx p2p-worker run mean-by-steps.ts --input '[1, 2, 3, 6]'
 * ```
 * ```text
 * 3
 * ```
 */
export function defineTask<Input, Shard, State, Part, Accumulator = Part[], Result = State>(
  definition: WithSplit<IterationDefinition<Input, Shard, Part, State, Accumulator, Result>, Input, Shard>
): IterationDefinition<Input, Shard, Part, State, Accumulator, Result>
export function defineTask<Shard, State, Part, Accumulator = Part[], Result = State>(
  definition: WithoutSplit<IterationDefinition<Iterable<Shard>, Shard, Part, State, Accumulator, Result>>
): IterationDefinition<Iterable<Shard>, Shard, Part, State, Accumulator, Result>
export function defineTask<Chunk, Part, Accumulator = Part[], Result = Accumulator>(
  definition: WithoutSplit<TaskDefinition<Iterable<Chunk>, Chunk, Part, Accumulator, Result>> & OneRound
): TaskDefinition<Iterable<Chunk>, Chunk, Part, Accumulator, Result>
// This overload comes last, because the compiler reports the errors of the last overload if no overload fits.
export function defineTask<Input, Chunk, Part, Accumulator = Part[], Result = Accumulator>(
  definition: WithSplit<TaskDefinition<Input, Chunk, Part, Accumulator, Result>, Input, Chunk> & OneRound
): TaskDefinition<Input, Chunk, Part, Accumulator, Result>
export function defineTask<Definition>(definition: Definition): Definition {
  return definition
}
