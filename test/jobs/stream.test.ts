import { afterEach, describe, expect, it } from 'vitest'
import { JobCancelledError, JobFailedError } from '../../src/common/errors.ts'
import { ItemSource, type Items } from '../../src/jobs/client/item-source.ts'
import type { StreamOrder } from '../../src/jobs/protocol/submit-messages.ts'
import type { Job } from '../../src/jobs/shared/types.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { FakeRunner, type FakeTask } from './fake-runner.ts'
import { aMinute, gated, parts, until } from './squares.ts'

let cluster: FakeCluster
let runners: FakeRunner[]
let items: ItemSource<number>

function start(peers: number, task: FakeTask = {}): FakePeer[] {
  cluster = new FakeCluster()
  runners = Array.from({ length: peers }, () => new FakeRunner(2, task))
  return runners.map(runner => cluster.add(runner))
}

function map(
  { jobs }: FakePeer,
  source: Items<number>,
  order: StreamOrder = 'ordered'
): Promise<Job<undefined, number>> {
  items = new ItemSource({ source, onFailed() {} })
  return jobs.submit<undefined, number>(parts(0), {}, { items, order })
}

function* numbers(count: number): Generator<number> {
  for (let i = 0; i < count; i++) yield i
}

const squares = (count: number) => Array.from({ length: count }, (_, i) => i * i)
const sorted = (values: number[]) => [...values].sort((a, b) => a - b)

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = []
  for await (const value of values) seen.push(value)
  return seen
}

/** Counts the starts of each chunk. */
function starts(): Map<number, number> {
  const counts = new Map<number, number>()
  for (const index of runners.flatMap(({ started }) => started)) counts.set(index, (counts.get(index) ?? 0) + 1)
  return counts
}

afterEach(async () => {
  items?.close()
  await cluster.stop()
})

describe('a stream', () => {
  it.each(['ordered', 'unordered'] as const)('a stream delivers the result of each item once, %s', async order => {
    const [a, , c] = start(3) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await map(a, numbers(3_000), order)
    const results = await all(job.partials())
    expect(order === 'ordered' ? results : sorted(results)).toEqual(squares(3_000))
    expect(await job.result()).toBeUndefined()
    expect(job.stats?.chunks).toBe(3_000)
  })

  it.each(['ordered', 'unordered'] as const)('a stream may be submitted at the leader itself, %s', async order => {
    const [a] = start(1) as [FakePeer]
    cluster.elect(a)
    expect(sorted(await all((await map(a, numbers(100), order)).partials()))).toEqual(squares(100))
  })

  it('a stream may be empty', async () => {
    const [a, b] = start(2) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await map(a, [])
    expect(await all(job.partials())).toEqual([])
    expect(await job.result()).toBeUndefined()
  })

  it('a stream delivers the result of an item before the source yields the next item', async () => {
    const [a, b] = start(2) as [FakePeer, FakePeer]
    cluster.elect(b)
    let next!: (item: number | undefined) => void
    async function* slowly(): AsyncGenerator<number> {
      for (;;) {
        const item = await new Promise<number | undefined>(resolve => {
          next = resolve
        })
        if (item === undefined) return
        yield item
      }
    }
    const job = await map(a, slowly())
    const results = job.partials()[Symbol.asyncIterator]()
    for (const item of [3, 4, 5]) {
      const result = results.next()
      await until(() => next !== undefined)
      next(item)
      expect(await result).toEqual({ value: item * item, done: false })
    }
    next(undefined)
    expect((await results.next()).done).toBe(true)
  })

  it.each(['ordered', 'unordered'] as const)(
    'a stream loses and repeats no result when leaders die and hand over, %s',
    async order => {
      const [a, b, c, d] = start(4) as [FakePeer, FakePeer, FakePeer, FakePeer]
      cluster.elect(d)
      const job = await map(a, numbers(2_000), order)
      const seen: number[] = []
      for await (const result of job.partials()) {
        seen.push(result)
        if (seen.length === 200) {
          cluster.kill(d)
          cluster.elect(c)
        } else if (seen.length === 900) cluster.elect(b)
        else if (seen.length === 1_400) {
          cluster.kill(b)
          cluster.elect(c)
        }
      }
      expect(order === 'ordered' ? seen : sorted(seen)).toEqual(squares(2_000))
    }
  )

  it('a stream computes no item again that a live worker has computed when its leader dies', async () => {
    const { task, open } = gated(40)
    const [a, b, c] = start(3, task) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await map(a, numbers(80))
    // No client reads yet, so the first results wait at the leader or are in transit.
    await until(() => runners.flatMap(({ started }) => started).filter(index => index >= 40).length >= 4)
    const computed = new Set([...runners[0]!.started, ...runners[1]!.started])
    cluster.kill(c)
    cluster.elect(b)
    open()
    expect(await all(job.partials())).toEqual(squares(80))
    const again = [...computed].filter(index => starts().get(index)! > 1 && !runners[2]!.started.includes(index))
    expect(again).toEqual([])
  })

  it('a stream reads its source no faster than its results are read', async () => {
    const [a, b] = start(2) as [FakePeer, FakePeer]
    cluster.elect(b)
    let read = 0
    let closed = false
    function* endless(): Generator<number> {
      try {
        for (;;) yield read++
      } finally {
        closed = true
      }
    }
    const job = await map(a, endless())
    const results = job.partials()[Symbol.asyncIterator]()
    expect(await results.next()).toEqual({ value: 0, done: false })
    // Unread results are not folded, so the stream comes to rest.
    const { sent } = cluster.hub
    for (let before = -1; before < sent.length; ) {
      before = sent.length
      for (let i = 0; i < 1_000; i++) await new Promise(resolve => setImmediate(resolve))
    }
    expect(read).toBeLessThan(200_000)
    items.close()
    expect(closed).toBe(true)
    await job.cancel()
  })

  it('a stream fails with the item whose task threw', async () => {
    const [a, b] = start(2, {
      run: item => {
        if (item === 30) throw new RangeError('enough')
        return item * item
      }
    }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await map(a, numbers(60))
    const failed = await all(job.partials()).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(JobFailedError)
    expect(failed).toMatchObject({ index: 30 })
  })

  it('a stream is cancelled if its client does not resume it after its leader died', async () => {
    const [a, b, c] = start(3, { run: () => new Promise(() => {}) }) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await map(a, numbers(10))
    await until(() => runners.some(({ started }) => started.length > 0))
    await aMinute(() => {
      cluster.kill(a)
      cluster.kill(c)
      cluster.elect(b)
    })
    expect((await b.jobs.overview()).jobs.map(({ state }) => state)).not.toContain('running')
    expect(runners[1]!.running, 'nothing of it runs any more').toBe(0)
    void job
  })

  it('a stream can be cancelled at a leader where it has not begun', async () => {
    const [a, b, c] = start(3, { run: () => new Promise(() => {}) }) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await map(a, numbers(10))
    const failed = all(job.partials()).catch((error: unknown) => error)
    const cancelled = job.cancel()
    cluster.kill(c)
    cluster.elect(b)
    await cancelled
    expect(await failed).toBeInstanceOf(JobCancelledError)
  })
})
