import type { TaskDefinition } from '../../src/tasks/types.ts'

/** Runs a task without any cluster: the meaning of a task that every cluster must reproduce. */
export async function runInOneLoop<Input, Chunk, Partial, Accumulator, Result>(
  task: TaskDefinition<Input, Chunk, Partial, Accumulator, Result>,
  input: Input
): Promise<{ chunks: Chunk[]; result: Awaited<Result> }> {
  const { split, run, initial, reduce, finish } = task
  if (split === undefined || reduce === undefined || finish === undefined) {
    throw new TypeError('this helper is for tasks that have split, reduce and finish')
  }
  const signal = new AbortController().signal
  const chunks: Chunk[] = []
  let accumulator = structuredClone(typeof initial === 'function' ? (initial as () => Accumulator)() : initial)
  for await (const chunk of await split(input, { slots: 2 })) {
    const index = chunks.push(chunk) - 1
    // Everything crosses threads and peers in a cluster, so it is cloned here too.
    const partial = structuredClone(await run(structuredClone(chunk), { signal, index, log: () => {} }))
    accumulator = structuredClone(await reduce(accumulator as Accumulator, partial, index))
  }
  return { chunks, result: await finish(accumulator as Accumulator) }
}

/** What `split` makes of an input, for tasks that split synchronously. */
export function chunksOf<Input, Chunk, Partial, Accumulator, Result>(
  task: TaskDefinition<Input, Chunk, Partial, Accumulator, Result>,
  input: unknown
): Chunk[] {
  if (task.split === undefined) throw new TypeError('the task has no split')
  return [...(task.split(input as Input, { slots: 1 }) as Iterable<Chunk>)]
}
