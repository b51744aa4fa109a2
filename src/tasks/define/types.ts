/** What a user's task looks like. `defineTask` (define-task.ts) infers the parameters. */

/** What `split` is told, beside the input. */
export interface SplitContext {
  /** Slots of the whole cluster when the job was submitted: a hint for how many chunks make sense. */
  slots: number
}

/** What `run` is told, beside its chunk. */
export interface RunContext {
  /** Aborts when the job is cancelled or the chunk's time is over. A chunk that ignores it has its thread ended. */
  signal: AbortSignal
  /** The index of the chunk, from 0. */
  index: number
  /** Prints a line on the client's stderr, with peer and chunk. `console.log` in a task does the same. */
  log: (...values: unknown[]) => void
}

/** What `split` gives: an array, a generator, an async generator, … */
export type Chunks<Chunk> = Iterable<Chunk> | AsyncIterable<Chunk>

/** A computation: `split` makes chunks, `run` computes each of them somewhere, `reduce` folds in chunk order. */
export interface TaskDefinition<Input, Chunk, Partial, Accumulator, Result> {
  /** Shown in status and logs. */
  name?: string
  /** The task's file (`import.meta.url`), needed to submit the task object itself instead of its path. */
  module?: string
  /** Iterable or async iterable of chunks; left out: the elements of the input. Must yield the same chunks when called again. */
  split?: (input: Input, context: SplitContext) => Chunks<Chunk> | Promise<Chunks<Chunk>>
  /** Computes one chunk, in a worker thread of some peer. */
  run: (chunk: Chunk, context: RunContext) => Partial | Promise<Partial>
  /**
   * Makes one partial of two neighbouring ones, where that can be done in any grouping: `reduce` then gets one value for each sixteen chunks.
   * Called for chunks 0 to 15, 16 to 31 and so on (the last group may be smaller), from left to right, so the result does not depend on who
   * combines: the peer that ran all of a group, which is so for most of them where sixteen chunks take at most 200 ms, or the leader. It may
   * change and return `a`, and must not depend on variables of the module. Needs `reduce`.
   *
   * All sixteen partials are in memory together, so they should not have more than some MB each. Progress and checkpoints advance by groups,
   * and so do partials that are read as they come, which the leader has to combine itself.
   */
  combine?: (a: Partial, b: Partial) => Partial | Promise<Partial>
  /** The accumulator's start: a value (cloned for each job) or a factory. Needed by `reduce`. */
  initial?: Accumulator | (() => Accumulator)
  /**
   * Folds one partial in, in chunk order, each index once. Left out: the result is the array of partials. Another leader may
   * go on with the accumulator, so all that is to be remembered belongs into it, as data that structured clone can carry:
   * instances of classes come back without their methods, and variables of the module start anew. With `combine`, it is called once for
   * each sixteen chunks, and `index` is that of the first of them.
   */
  reduce?: (accumulator: Accumulator, partial: Partial, index: number) => Accumulator | Promise<Accumulator>
  /** Makes the result of the accumulator. Bytes are fine. */
  finish?: (accumulator: Accumulator) => Result | Promise<Result>
}
