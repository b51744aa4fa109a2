import { expect, test } from 'vitest'
import { JobScheduler, type SchedulerEvent } from '../../../src/jobs/scheduler/index.ts'

/** Makes a scheduler with a job of four chunks. The worker `a` has joined, and the worker `b` can join. */
function coordinated() {
  const coordinator = new JobScheduler<string>()
  const given: Record<string, number[]> = { a: [], b: [] }
  const handle = (event: SchedulerEvent<string>) => {
    const effects = coordinator.handle(event, 0)
    for (const effect of effects) if (effect.type === 'dispatch') given[effect.worker]!.push(...effect.indices)
    return effects
  }
  const join = (worker: string) => handle({ type: 'worker-joined', worker, slots: 1, tags: {}, spared: false })
  const brings = (worker: string, indices: number[]) =>
    handle({ type: 'outcomes', worker, job: 'j', indices, sizes: indices.map(() => 1), failed: [], busyMs: 1 }).filter(
      ({ type }) => type === 'never-given'
    )
  const terms = { retries: 0, speculate: false, requires: {}, priority: 0 }
  join('a')
  handle({ type: 'submitted', job: 'j', terms })
  handle({ type: 'pulled', job: 'j', first: 0, sizes: [1, 1, 1, 1], done: true })
  return { handle, join, brings, given }
}

test('an outcome from a worker that had the chunk before is not a forgery, although another worker has the chunk now', () => {
  const { handle, join, brings, given } = coordinated()
  expect(given.a).toContain(0)
  join('b')
  handle({ type: 'worker-gone', worker: 'a', why: 'lost' })
  for (let i = 0; i < given.b!.length && !given.b!.includes(0); i++) brings('b', [given.b![i]!])
  expect(given.b).toContain(0)
  expect(brings('a', [0])).toEqual([])
  join('a')
  expect(brings('a', [0])).toEqual([])
  expect(brings('b', [0])).toEqual([])
  expect(brings('b', [0])).toEqual([])
  expect(brings('a', [77])).toEqual([{ type: 'never-given', worker: 'a', job: 'j', indices: [77] }])
})

test('an outcome of an ended job is not a forgery', () => {
  const { handle, brings } = coordinated()
  handle({ type: 'cancelled', job: 'j' })
  expect(brings('a', [0, 77])).toEqual([])
})
