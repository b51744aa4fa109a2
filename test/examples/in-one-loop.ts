import type { IterationDefinition } from '../../src/tasks/define/iteration.ts'
import type { TaskDefinition } from '../../src/tasks/define/types.ts'
import { CHUNKS_A_GROUP } from '../../src/tasks/execute/group.ts'

/** Runs a task in one loop without a cluster. A cluster must return the same result. */
export async function runInOneLoop<Input, Chunk, Partial, Accumulator, Result>(
  task: TaskDefinition<Input, Chunk, Partial, Accumulator, Result>,
  input: Input
): Promise<{ chunks: Chunk[]; result: Awaited<Result> }> {
  const { split, run, combine, initial, reduce, finish } = task
  if (split === undefined || reduce === undefined || finish === undefined) {
    throw new TypeError('this helper is for tasks that have split, reduce and finish')
  }
  const signal = new AbortController().signal
  const chunks: Chunk[] = []
  let group: { first: number; partial: Partial } | undefined
  let accumulator = structuredClone(typeof initial === 'function' ? (initial as () => Accumulator)() : initial)
  for await (const chunk of await split(input, { slots: 2 })) {
    const index = chunks.push(chunk) - 1
    // In a cluster, values are cloned between threads and peers, so this loop also clones the values.
    const partial = structuredClone(await run(structuredClone(chunk), { signal, index, log: () => {} }))
    if (combine !== undefined && group !== undefined && index < group.first + CHUNKS_A_GROUP) {
      group.partial = structuredClone(await combine(group.partial, partial))
      continue
    }
    if (group !== undefined)
      accumulator = structuredClone(await reduce(accumulator as Accumulator, group.partial, group.first))
    group = { first: index, partial }
  }
  if (group !== undefined) accumulator = await reduce(accumulator as Accumulator, group.partial, group.first)
  return { chunks, result: await finish(accumulator as Accumulator) }
}

/** Returns the chunks into which a synchronous `split` divides an input. */
export function chunksOf<Input, Chunk, Partial, Accumulator, Result>(
  task: TaskDefinition<Input, Chunk, Partial, Accumulator, Result>,
  input: unknown
): Chunk[] {
  if (task.split === undefined) throw new TypeError('the task has no split')
  return [...(task.split(input as Input, { slots: 1 }) as Iterable<Chunk>)]
}

/** Runs a task without `reduce`, whose `finish` receives the array of partials. */
export async function runAllInOneLoop<Input, Chunk, Partial, Result>(
  task: TaskDefinition<Input, Chunk, Partial, Partial[], Result>,
  input: Input
): Promise<{ chunks: Chunk[]; partials: Partial[]; result: Awaited<Result> }> {
  const { split, run, finish } = task
  if (split === undefined || task.reduce !== undefined || finish === undefined) {
    throw new TypeError('this helper is for tasks that have split and finish, and no reduce')
  }
  const signal = new AbortController().signal
  const chunks: Chunk[] = []
  const partials: Partial[] = []
  for await (const chunk of await split(input, { slots: 2 })) {
    const index = chunks.push(chunk) - 1
    partials.push(structuredClone(await run(structuredClone(chunk), { signal, index, log: () => {} })))
  }
  return { chunks, partials, result: await finish(partials) }
}

/** A limit above the number of rounds that any of these tests needs, so that a failing search does not run for hours. */
const MOST_ROUNDS = 5

/** Runs an iteration without `reduce`, split for the given number of slots. */
export async function iterateInOneLoop<Input, Shard, Partial, State, Result>(
  task: IterationDefinition<Input, Shard, Partial, State, Partial[], Result>,
  input: Input,
  slots: number
): Promise<{ rounds: number; result: Awaited<Result> }> {
  const { split, start, run, next, until, finish } = task
  if (split === undefined || task.reduce !== undefined || finish === undefined) {
    throw new TypeError('this helper is for iterations that have split and finish, and no reduce')
  }
  const signal = new AbortController().signal
  const shards: Shard[] = []
  for await (const shard of await split(input, { slots })) shards.push(shard)
  let state = await start(input)
  let round = 0
  for (; !(await until(state, { round })); round++) {
    if (round === MOST_ROUNDS) throw new Error(`it goes on after ${MOST_ROUNDS} rounds, with ${JSON.stringify(state)}`)
    const partials: Partial[] = []
    for (const [index, shard] of shards.entries()) {
      partials.push(
        structuredClone(await run(shard, { state: structuredClone(state), round, index, signal, log: () => {} }))
      )
    }
    state = structuredClone(await next(state, partials, { round }))
  }
  return { rounds: round, result: await finish(state) }
}
