import { describe, expect, it } from 'vitest'
import { JobScheduler, type SchedulerEffect, type SchedulerEvent } from '../../../src/jobs/scheduler/index.ts'

type Dispatch = Extract<SchedulerEffect<string>, { type: 'dispatch' }>

/** Makes a scheduler with the workers a and b, which have one slot each. In the first round of an iteration a had shard 0 and b had shard 1. */
function afterOneRound(roundOf: number | undefined) {
  const coordinator = new JobScheduler<string>()
  const dispatches: Dispatch[] = []
  const tell = (event: SchedulerEvent<string>): void => {
    for (const effect of coordinator.handle(event, 0)) if (effect.type === 'dispatch') dispatches.push(effect)
  }
  const terms = { retries: 0, speculate: false, requires: {}, priority: 0 }
  const pulled = (job: string, first: number, count: number, round?: number): void =>
    tell({ type: 'pulled', job, first, sizes: new Array<number>(count).fill(77), done: false, roundOf: round })
  for (const worker of ['a', 'b']) tell({ type: 'worker-joined', worker, slots: 1, tags: {}, spared: false })
  tell({ type: 'submitted', job: 'rounds', terms })
  pulled('rounds', 0, 2, roundOf)
  const first = dispatches.splice(0)
  for (const { worker, indices } of first)
    tell({ type: 'outcomes', worker, job: 'rounds', indices, sizes: [8], failed: [], busyMs: 1_000 })
  tell({ type: 'folded', job: 'rounds', first: 0, count: 2 })
  // Another job makes b the least loaded worker, so that b gets the first chunk.
  tell({ type: 'submitted', job: 'other', terms })
  pulled('other', 0, 1)
  const other = dispatches.splice(0)
  pulled('rounds', 2, 2, roundOf)
  const holder = (of: Dispatch[], index: number): string => of.find(({ indices }) => indices.includes(index))!.worker
  return { first, other, second: dispatches, holder, tell }
}

describe('the shards of an iteration', () => {
  it('the scheduler gives a shard to its previous worker, although the other worker is less loaded', () => {
    const { first, other, second, holder } = afterOneRound(2)
    expect([holder(first, 0), holder(first, 1), holder(other, 0)]).toEqual(['a', 'b', 'a'])
    expect(second[0]).toMatchObject({ worker: 'b', indices: [3] })
  })

  it('chunks are dispatched in order if the job is not an iteration', () => {
    expect(afterOneRound(undefined).second[0]).toMatchObject({ worker: 'b', indices: [2] })
  })

  it('the scheduler gives a shard to another worker when the previous worker of the shard is gone', () => {
    const { tell, second } = afterOneRound(2)
    tell({ type: 'worker-gone', worker: 'a', why: 'left' })
    const returns = { type: 'outcomes', worker: 'b', sizes: [8], failed: [], busyMs: 1_000 } as const
    tell({ ...returns, job: 'rounds', indices: [3] })
    tell({ ...returns, job: 'other', indices: [0] })
    expect(second.findLast(({ indices }) => indices.includes(2))?.worker).toBe('b')
  })
})
