import { setImmediate } from 'node:timers/promises'
import type { Runner } from '../../src/jobs/shared/runner.ts'
import type { JobDriver } from '../../src/tasks/executor.ts'
import type { Call } from '../../src/tasks/thread/call.ts'
import type { IterationTask } from '../../src/tasks/thread/load-task.ts'
import { Rounds } from '../../src/tasks/thread/rounds.ts'
import { packIndexed, unpackIndexed } from '../../src/tasks/values/pack.ts'
import { decode } from '../../src/tasks/values/payload.ts'
import { roundChunkOf } from '../../src/tasks/values/shard-round.ts'
import { failed, returned } from '../tasks/outcomes.ts'

/** The input of an iteration in these tests. */
export interface FakeInput {
  shards: number
  rounds: number
}

/** Calls the functions of a task directly. The product calls them in a thread. */
const call = {
  invoke: (_fn: unknown, _index: unknown, use: () => unknown) => use(),
  within: async (_fn: unknown, _index: unknown, use: () => unknown) => use()
} as unknown as Call

/** A task whose sums depend on the order of additions. */
const task: IterationTask = {
  split: input => Array.from({ length: (input as FakeInput).shards }, (_, i) => ({ number: Math.sin(i + 1) })),
  start: input => ({ sum: 0.1, rounds: (input as FakeInput).rounds }),
  run: () => {
    throw new Error('chunks are run by the runner')
  },
  initial: 0,
  reduce: (sum, partial) => (sum as number) + (partial as number),
  next: (state, sum) => ({ ...(state as object), sum: Math.cos(sum as number) }),
  until: (state, { round }) => round === (state as { rounds: number }).rounds
}

/** Runs an iteration with plain functions. The executor of the product runs an iteration in threads. */
export class FakeRounds implements Runner {
  readonly slots: number
  /** All chunks that this runner has started. `alone` has the chunks that ran in quarantine. */
  readonly started: { round: number; shard: number }[] = []
  readonly alone: number[] = []
  /** Called before a chunk returns. */
  before: (round: number, shard: number) => Promise<void> | void = () => {}

  constructor(slots = 1) {
    this.slots = slots
  }

  runBatch: Runner['runBatch'] = ({ chunks, signal }, handlers) => {
    const cancelled = new Set<number>()
    const run = async (): Promise<void> => {
      // The result arrives in a later turn of the event loop, as from a thread, so that an endless iteration does not block the test.
      await setImmediate()
      for (const { index, bytes } of unpackIndexed(chunks)) {
        signal?.throwIfAborted()
        if (cancelled.has(index)) continue
        try {
          const { round, shard, state, data } = roundChunkOf(bytes)
          this.started.push({ round, shard })
          await this.before(round, shard)
          signal?.throwIfAborted()
          if (cancelled.has(index)) continue
          const { sum } = decode(state, 'state') as { sum: number }
          const { number } = decode(data, 'shard') as { number: number }
          handlers.onOutcomes(returned(index, sum * number + round), 1)
        } catch (error) {
          signal?.throwIfAborted()
          const { name, message } = error as Error
          handlers.onOutcomes(failed({ index, failure: { function: 'run', index, name, message, stack: '' } }), 1)
        }
      }
    }
    return Object.assign(run(), { cancel: (index: number) => void cancelled.add(index) })
  }

  runQuarantined: Runner['runQuarantined'] = ({ chunk, ...batch }, handlers) => {
    this.alone.push(chunk.index)
    return this.runBatch({ ...batch, chunks: packIndexed([chunk]) }, handlers)
  }

  openDriver: Runner['openDriver'] = async ({ input, slots, resume }) => {
    const data =
      resume?.kind === 'folded'
        ? { ...resume, lengths: Uint32Array.of(resume.accumulator.byteLength), bytes: resume.accumulator }
        : undefined
    const rounds = new Rounds(call, task, { input, slots, resume: data })
    const driver: JobDriver = {
      pull: max => rounds.pull(max),
      fold: async (first, partials) => {
        await rounds.fold(first, partials)
        return rounds.state
      },
      kind: async () => 'folded',
      checkpoint: () => rounds.checkpoint(),
      checkpointMs: 0,
      finish: () => rounds.finish(),
      close: () => rounds.close()
    }
    return driver
  }
}

/** Computes the result of the iteration in one loop. */
export function expectedSum({ shards, rounds }: FakeInput): { sum: number; rounds: number } {
  let state = 0.1
  for (let round = 0; round < rounds; round++) {
    let sum = 0
    for (let shard = 0; shard < shards; shard++) sum += state * Math.sin(shard + 1) + round
    state = Math.cos(sum)
  }
  return { sum: state, rounds }
}
