import { appendFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTask } from 'p2p-worker'
import kMeans from '../../../examples/k-means.ts'
import sgd from '../../../examples/sgd.ts'

interface Input {
  which: 'k-means' | 'sgd'
  csv: string
  /** The file where each run appends its round and shard. */
  file: string
  /** The duration of each run, in ms. */
  ms: number
}

const tasks = { 'k-means': kMeans, sgd }

// biome-ignore lint/suspicious/noExplicitAny: the input selects one of two tasks with different states
type Any = any

/** An iteration of an example, slowed down and counted. Its state contains the name of the example. */
export default defineTask({
  *split({ which, csv, file, ms }: Input) {
    for (const shard of (tasks[which] as Any).split(csv, { slots: 1 })) yield { which, file, ms, shard }
  },
  start: async ({ which, csv }): Promise<{ which: Input['which']; state: Any }> => ({
    which,
    state: await tasks[which].start(csv)
  }),
  async run({ which, file, ms, shard }, { state, ...context }): Promise<{ which: Input['which']; partial: Any }> {
    await sleep(ms)
    const { round, index } = context
    const partial: Any = await (tasks[which] as Any).run(shard, { state: state.state, round, index })
    await appendFile(file, `${round} ${index}\n`)
    return { which, partial }
  },
  initial: (): Any => undefined,
  reduce(accumulator, { which, partial }) {
    const { reduce, initial }: Any = tasks[which]
    if (reduce === undefined) return [...(accumulator ?? []), partial]
    return reduce(accumulator ?? initial(), partial)
  },
  next: ({ which, state }, accumulator, context) => ({
    which,
    state: (tasks[which] as Any).next(state, accumulator, context)
  }),
  until: ({ which, state }, context) => (tasks[which] as Any).until(state, context),
  finish: ({ which, state }) => (tasks[which] as Any).finish(state)
})
