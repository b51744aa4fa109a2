/** The shape of a user's task. `defineTask` (define-task.ts) infers the type parameters. */

/** The second argument of `split`. */
export interface SplitContext {
  /** Slots of the whole cluster when the job was submitted: a hint for how many chunks make sense. */
  slots: number
}

/** The second argument of `run`. */
export interface RunContext {
  /** Aborts when the job is cancelled or the chunk's time is over. The thread of a chunk that ignores the signal is terminated. */
  signal: AbortSignal
  /** The index of the chunk, from 0. */
  index: number
  /** Prints a line on the client's stderr, with peer and chunk. `console.log` in a task does the same. */
  log: (...values: unknown[]) => void
}

/** The return value of `split`: an array, a generator, an async generator, … */
export type Chunks<Chunk> = Iterable<Chunk> | AsyncIterable<Chunk>

/** A computation: `split` cuts the input into chunks, `run` computes a partial of each chunk, `reduce` folds the partials in chunk order. */
export interface TaskDefinition<Input, Chunk, Partial, Accumulator, Result> {
  /** Shown in status and logs. */
  name?: string
  /** The task's file (`import.meta.url`), needed to submit the task object itself instead of its path. */
  module?: string
  /** Returns an iterable or async iterable of chunks, and the same chunks when called again. Default: the elements of the input. */
  split?: (input: Input, context: SplitContext) => Chunks<Chunk> | Promise<Chunks<Chunk>>
  /** Computes one chunk, in a worker thread of some peer. */
  run: (chunk: Chunk, context: RunContext) => Partial | Promise<Partial>
  /**
   * Combines two neighbouring partials into one; must be associative. `reduce` then gets one value for each sixteen chunks. `combine` is called
   * for chunks 0 to 15, 16 to 31 and so on (the last group may be smaller), from left to right, so the result is the same whether the peer
   * that ran the whole group combines or the leader. A worker usually gets whole groups if sixteen chunks take at most 200 ms. `combine` may
   * change and return `a`, and must not depend on variables of the module. Needs `reduce`.
   *
   * All sixteen partials are in memory together, so each should have at most some MB. Progress and checkpoints advance by groups. So do
   * partials that a client reads as they come: the leader combines those itself.
   */
  combine?: (a: Partial, b: Partial) => Partial | Promise<Partial>
  /** The accumulator's start: a value (cloned for each job) or a factory. Needed by `reduce`. */
  initial?: Accumulator | (() => Accumulator)
  /**
   * Folds one partial into the accumulator, in chunk order, each index once. Default: the result is the array of partials. Another leader may
   * continue with the accumulator, so keep all state in it, as data that structured clone can carry: class instances lose their methods, and
   * variables of the module start anew. With `combine`, `reduce` is called once for each sixteen chunks, with the index of the first chunk.
   */
  reduce?: (accumulator: Accumulator, partial: Partial, index: number) => Accumulator | Promise<Accumulator>
  /** Computes the result from the accumulator. The result may be bytes. Default: the result is the accumulator. */
  finish?: (accumulator: Accumulator) => Result | Promise<Result>
}
