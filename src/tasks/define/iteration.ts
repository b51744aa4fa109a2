import type { Chunks, RunContext, SplitContext } from './types.ts'

/** What `run` of an iteration is told, beside its shard. */
export interface IterationContext<State> extends RunContext {
  /** What `start` or the last `next` gave. A copy of its own for each run. */
  state: State
  /** The round, from 0. */
  round: number
  /** The index of the shard, from 0: the same in each round. */
  index: number
}

/** Where an iteration is. */
export interface RoundContext {
  /** The round, from 0. */
  round: number
}

/**
 * A computation that goes round and round: the state is sent to wherever the shards are, `run` makes a partial of each shard and the state,
 * `reduce` folds these in shard order, and `next` makes the next state of what came out, until `until` says that it is enough. Shards are
 * kept by the workers that have run them, so they travel once, and not in every round.
 *
 * What it computes is what this loop does:
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
  /** Shown in status and logs. */
  name?: string
  /** The task's file (`import.meta.url`), needed to submit the task object itself instead of its path. */
  module?: string
  /**
   * Cuts the input into shards, at least one; left out: the elements of the input. Called once, and again by each later leader: it must give
   * the same shards then. All of them together are held in memory by the leader.
   */
  split?: (input: Input, context: SplitContext) => Chunks<Shard> | Promise<Chunks<Shard>>
  /** The state of the first round. */
  start: (input: Input) => State | Promise<State>
  /** Computes one shard in one round, in a worker thread of some peer. */
  run: (shard: Shard, context: IterationContext<State>) => Partial | Promise<Partial>
  /** What the accumulator starts with in each round: a value (cloned) or a factory. Needed by `reduce`. */
  initial?: Accumulator | (() => Accumulator)
  /** Folds the partials of one round, in shard order. Left out: `next` gets the array of them. */
  reduce?: (accumulator: Accumulator, partial: Partial, index: number) => Accumulator | Promise<Accumulator>
  /** Makes the next state of the present one and what came of the round: data that structured clone can carry. */
  next: (state: State, accumulator: Accumulator, context: RoundContext) => State | Promise<State>
  /**
   * Whether this state is the last one. Asked before each round, the first one included; `round` is the one that would begin, so it tells how
   * many there have been. An iteration that is never done goes on until it is cancelled.
   */
  until: (state: State, context: RoundContext) => boolean | Promise<boolean>
  /** Makes the result of the last state; left out: the result is that state. */
  finish?: (state: State) => Result | Promise<Result>
}

/** Whether a task is an iteration. */
export function isIteration(
  task: object
): task is IterationDefinition<unknown, unknown, unknown, unknown, unknown, unknown> {
  return 'next' in task && task.next !== undefined
}
