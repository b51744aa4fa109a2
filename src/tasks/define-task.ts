import type { Chunks, SplitContext, TaskDefinition } from './types.ts'

/** A definition with `split`: its input may be anything that structured clone can carry. */
type SplitDefinition<Input, Chunk, Part, Accumulator, Result> = TaskDefinition<
  Input,
  Chunk,
  Part,
  Accumulator,
  Result
> & {
  split: (input: Input, context: SplitContext) => Chunks<Chunk> | Promise<Chunks<Chunk>>
}

/** A definition without `split`: its chunks are the elements of the input. */
type ElementDefinition<Chunk, Part, Accumulator, Result> = TaskDefinition<
  Iterable<Chunk>,
  Chunk,
  Part,
  Accumulator,
  Result
> & { split?: undefined }

/**
 * Defines a task: the default export of a task file. It returns its argument; what it adds are the types, which follow
 * from the input's annotation through `split`, `run`, `reduce` and `finish` (write them in this order).
 *
 * - Without `split` the chunks are the elements of the input; annotate the chunk of `run` then.
 * - Without `reduce` the result (or what `finish` gets) is the array of partials, in chunk order.
 *
 * @example
 * ```ts
 * export default defineTask({
 *   name: 'count-primes',
 *   *split(limit: number) {
 *     for (let from = 2; from < limit; from += 10_000) yield { from, to: Math.min(from + 10_000, limit) }
 *   },
 *   run({ from, to }) {
 *     return countPrimes(from, to)
 *   },
 *   initial: 0,
 *   reduce: (sum, partial) => sum + partial
 * })
 * ```
 */
export function defineTask<Input, Chunk, Part, Accumulator = Part[], Result = Accumulator>(
  definition: SplitDefinition<Input, Chunk, Part, Accumulator, Result>
): TaskDefinition<Input, Chunk, Part, Accumulator, Result>
export function defineTask<Chunk, Part, Accumulator = Part[], Result = Accumulator>(
  definition: ElementDefinition<Chunk, Part, Accumulator, Result>
): TaskDefinition<Iterable<Chunk>, Chunk, Part, Accumulator, Result>
export function defineTask<Definition>(definition: Definition): Definition {
  return definition
}
