/** The shape of a user's task. `defineTask` (define-task.ts) infers the type parameters. */

/** The second argument of `split`. */
export interface SplitContext {
  /** The slots of the whole cluster when the job was submitted: a hint for a useful number of chunks. */
  slots: number
  /** The due time of the job, if a schedule or `at` submitted it. For a run out of turn (`schedule run`), the time at which it was asked for. */
  scheduledFor?: Date
}

/** The second argument of `run`. */
export interface RunContext {
  /** Aborts when the job is cancelled or the chunk exceeds its time limit. If the chunk ignores the signal, its thread is terminated. */
  signal: AbortSignal
  /** The index of the chunk, from 0. */
  index: number
  /** Prints a line on the client's stderr, with the peer and the chunk. `console.log` in a task does the same. */
  log: (...values: unknown[]) => void
}

/** The return value of `split`: an array, a generator, an async generator, … */
export type Chunks<Chunk> = Iterable<Chunk> | AsyncIterable<Chunk>

/** A computation: `split` cuts the input into chunks, `run` computes a partial of each chunk, `reduce` folds the partials in chunk order. */
export interface TaskDefinition<Input, Chunk, Partial, Accumulator, Result> {
  /** The name of the task in status and logs. */
  name?: string
  /** The task's file (`import.meta.url`). Required if a client submits the task object and not the path of the file. */
  module?: string
  /** Returns an iterable or async iterable of chunks; a second call must return the same chunks. Default: the chunks are the elements of the input. */
  split?: (input: Input, context: SplitContext) => Chunks<Chunk> | Promise<Chunks<Chunk>>
  /** Computes the partial of one chunk, in a worker thread of a peer. */
  run: (chunk: Chunk, context: RunContext) => Partial | Promise<Partial>
  /**
   * Combines two neighbouring partials into one partial; must be associative. Requires `reduce`, which then gets one value for each sixteen
   * chunks. `combine` is called from left to right within the group of chunks 0 to 15, the group 16 to 31 and so on; the last group may be
   * smaller. So the result is the same whether the worker of a whole group or the leader combines the group. A worker usually gets whole
   * groups if sixteen chunks take at most 200 ms. `combine` may change and return `a`, and must not depend on variables of the module.
   *
   * All sixteen partials of a group are in memory together, so a partial should have at most some MB. Progress, checkpoints and the partials
   * that a client reads while the job runs advance by groups; partials for a client are combined by the leader.
   */
  combine?: (a: Partial, b: Partial) => Partial | Promise<Partial>
  /** The initial accumulator: a value (cloned for each job) or a factory. Required with `reduce`. */
  initial?: Accumulator | (() => Accumulator)
  /**
   * Folds one partial into the accumulator, in chunk order, each index exactly once. Default: the result is the array of partials. Another
   * leader may continue with the accumulator, so keep all state in the accumulator, as data that structured clone can carry: class instances
   * lose their methods, and variables of the module start anew. With `combine`, there is one call of `reduce` for each sixteen chunks, with
   * the index of the first of these chunks.
   */
  reduce?: (accumulator: Accumulator, partial: Partial, index: number) => Accumulator | Promise<Accumulator>
  /** Computes the result from the accumulator. The result may be bytes. Default: the result is the accumulator. */
  finish?: (accumulator: Accumulator) => Result | Promise<Result>
}
