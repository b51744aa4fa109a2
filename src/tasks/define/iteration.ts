import type { Chunks, RunContext, SplitContext } from './types.ts'

/** The second argument of an iteration's `run`. */
export interface IterationContext<State> extends RunContext {
  /** The state that `start` or the last `next` returned. Each run gets its own copy. */
  state: State
  /** The number of the round, from 0. */
  round: number
  /** The index of the shard, from 0. A shard has the same index in each round. */
  index: number
}

/** The last argument of `next` and `until`. */
export interface RoundContext {
  /** The number of the round, from 0. */
  round: number
}

/**
 * A computation in rounds. In each round, `run` computes a partial from each shard and the state, `reduce` folds the partials in shard order,
 * and `next` computes the next state from the accumulator. The iteration ends when `until` returns true. A worker keeps the shards that it has
 * run, so a shard is sent only once, and each round sends only the state.
 *
 * An iteration computes the same as this loop:
 *
 * ```js
 * async function loop({ split, start, run, initial, reduce, next, until, finish }, input, slots) {
 *   const shards = [...split(input, { slots })]
 *   let state = start(input)
 *   for (let round = 0; !until(state, { round }); round++) {
 *     let accumulator = initial
 *     for (const [index, shard] of shards.entries()) {
 *       accumulator = reduce(accumulator, run(shard, { state, round, index }), index)
 *     }
 *     state = next(state, accumulator, { round })
 *   }
 *   return finish(state)
 * }
 *
 * // A square root by Newton's method: one shard, six rounds.
 * const squareRoot = {
 *   split: number => [number],
 *   start: number => number,
 *   run: (number, { state }) => number / state,
 *   initial: 0,
 *   reduce: (_, quotient) => quotient,
 *   next: (state, quotient) => (state + quotient) / 2,
 *   until: (_, { round }) => round === 6,
 *   finish: state => state
 * }
 * console.log(await loop(squareRoot, 9, 1)) // 3
 * ```
 */
export interface IterationDefinition<Input, Shard, Partial, State, Accumulator, Result> {
  /** The name of the task in status and logs. */
  name?: string
  /** The task's file (`import.meta.url`). Required if a client submits the task object and not the path of the file. */
  module?: string
  /**
   * Cuts the input into at least one shard. Default: the shards are the elements of the input. Each later leader calls `split` again, so `split`
   * must always yield the same shards. The leader keeps all shards in memory.
   */
  split?: (input: Input, context: SplitContext) => Chunks<Shard> | Promise<Chunks<Shard>>
  /** The state of the first round. */
  start: (input: Input) => State | Promise<State>
  /** Computes the partial of one shard in one round, in a worker thread of a peer. */
  run: (shard: Shard, context: IterationContext<State>) => Partial | Promise<Partial>
  /** The initial accumulator of each round: a value (cloned for each round) or a factory. Required with `reduce`. */
  initial?: Accumulator | (() => Accumulator)
  /** Folds the partials of one round, in shard order. Without `reduce`, `next` gets the array of partials. */
  reduce?: (accumulator: Accumulator, partial: Partial, index: number) => Accumulator | Promise<Accumulator>
  /** Computes the next state from the current state and the accumulator of the round. Structured clone must be able to carry the state. */
  next: (state: State, accumulator: Accumulator, context: RoundContext) => State | Promise<State>
  /**
   * Returns whether `state` is the last state. The leader calls `until` before each round, including the first round. `context.round` is the
   * number of the round that would begin, and so the number of finished rounds. If `until` never returns true, the iteration runs until it is
   * cancelled.
   */
  until: (state: State, context: RoundContext) => boolean | Promise<boolean>
  /** Computes the result from the last state. Default: the result is the last state. */
  finish?: (state: State) => Result | Promise<Result>
}

/** Whether a task is an iteration. */
export function isIteration(
  task: object
): task is IterationDefinition<unknown, unknown, unknown, unknown, unknown, unknown> {
  return 'next' in task && task.next !== undefined
}
