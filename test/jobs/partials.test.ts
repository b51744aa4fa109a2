import { afterEach, describe, expect, it } from 'vitest'
import { deferred } from '../../src/deferred.ts'
import { InvalidOptionError, JobFailedError } from '../../src/errors.ts'
import { PartialStream } from '../../src/jobs/partial-stream.ts'
import { pack } from '../../src/tasks/pack.ts'
import { encode } from '../../src/tasks/payload.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, FakeRunner, type FakeTask } from './fake-runner.ts'
import { parts, until } from './squares.ts'

let cluster: FakeCluster
let runners: FakeRunner[]

function start(peers: number, task: FakeTask = {}): FakePeer[] {
  cluster = new FakeCluster()
  runners = Array.from({ length: peers }, () => new FakeRunner(2, task))
  return runners.map(runner => cluster.add(runner))
}

const squares = (count: number) => Array.from({ length: count }, (_, i) => i * i)

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = []
  for await (const value of values) seen.push(value)
  return seen
}

afterEach(async () => {
  await cluster.stop()
})

describe('the partials of a job', () => {
  it('come in chunk order, each once, and the result comes as well', async () => {
    const [a, , c] = start(3) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit<number, number>(parts(500), { partials: true })
    expect(await all(job.partials())).toEqual(squares(500))
    expect(await job.result()).toBe(expected(500))
  })

  it('come at the leader itself, too', async () => {
    const [a] = start(1) as [FakePeer]
    cluster.elect(a)
    const job = await a.jobs.submit<number, number>(parts(50), { partials: true })
    expect(await all(job.partials())).toEqual(squares(50))
  })

  it('come while the job runs', async () => {
    const last = deferred<void>()
    const [a, b] = start(2, {
      run: async chunk => {
        if (chunk === 9) await last.promise
        return chunk * chunk
      }
    }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit<number, number>(parts(10), { partials: true })
    const seen: number[] = []
    for await (const partial of job.partials()) {
      seen.push(partial)
      if (seen.length === 9) last.resolve()
    }
    expect(seen).toEqual(squares(10))
  })

  it('come each once across leaders that die and hand over', async () => {
    const [a, b, c, d] = start(4) as [FakePeer, FakePeer, FakePeer, FakePeer]
    cluster.elect(d)
    const job = await a.jobs.submit<number, number>(parts(400), { partials: true })
    const seen: number[] = []
    for await (const partial of job.partials()) {
      seen.push(partial)
      if (seen.length === 50) {
        cluster.kill(d)
        cluster.elect(c)
      } else if (seen.length === 150) cluster.elect(b)
    }
    expect(seen).toEqual(squares(400))
    expect(await job.result()).toBe(expected(400))
  })

  it('hold the job up while nobody reads them, and no longer', async () => {
    const [a, b] = start(2) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit<number, number>(parts(300), { partials: true })
    await until(() => cluster.hub.sent.some(({ message }) => (message as { type: string }).type === 'partials'))
    const partials = job.partials()[Symbol.asyncIterator]()
    expect(await partials.next()).toEqual({ value: 0, done: false })
    expect(job.progress.done, 'nothing is folded that has not been read').toBe(0)
    await partials.return!()
    expect(await job.result(), 'who reads no more holds nothing up').toBe(expected(300))
  })

  it('hold nothing up at the next leader either when nobody reads them any more', async () => {
    const [a, b, c] = start(3) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit<number, number>(parts(400), { partials: true })
    for await (const partial of job.partials()) if (partial > 100) break
    cluster.kill(c)
    cluster.elect(b)
    expect(await job.result()).toBe(expected(400))
  })

  it('end with what ends the job', async () => {
    const [a, b] = start(2, {
      run: chunk => {
        if (chunk === 30) throw new RangeError('enough')
        return chunk * chunk
      }
    }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit<number, number>(parts(60), { partials: true })
    const seen: number[] = []
    const reading = (async () => {
      for await (const partial of job.partials()) seen.push(partial)
    })()
    await expect(reading).rejects.toThrow(JobFailedError)
    expect(seen).toEqual(squares(seen.length))
    expect(seen.length).toBeLessThanOrEqual(30)
  })

  it('are refused where they were not asked for, and a second time', async () => {
    const [a] = start(1) as [FakePeer]
    cluster.elect(a)
    const silent = await a.jobs.submit<number>(parts(5))
    expect(() => silent.partials()).toThrow(InvalidOptionError)
    const job = await a.jobs.submit<number, number>(parts(5), { partials: true })
    await all(job.partials())
    await expect(all(job.partials())).rejects.toThrow('can be read once')
  })

  it('are not to be had of a job that was over before', async () => {
    const [a] = start(1) as [FakePeer]
    cluster.elect(a)
    await (await a.jobs.submit<number>(parts(5), { id: 'night' })).result()
    const again = await a.jobs.submit<number, number>(parts(5), { id: 'night', partials: true })
    expect(await again.result()).toBe(expected(5))
    await expect(all(again.partials())).rejects.toThrow('some of the 5 partials are gone')
  })
})

describe('a stream of partials', () => {
  const encoded = (...values: number[]) => pack(values.map(value => encode(value, 'partial')))

  it('passes over what has come before, and tells what it lacks', async () => {
    const got: number[] = []
    const stream = new PartialStream<number>(next => got.push(next))
    expect(stream.receive(0, encoded(0, 1, 2))).toBe(true)
    expect(stream.receive(1, encoded(1, 2, 3))).toBe(true)
    expect(stream.receive(5, encoded(5)), 'partial 4 is missing').toBe(false)
    const reader = stream[Symbol.asyncIterator]()
    const seen = [await reader.next(), await reader.next(), await reader.next(), await reader.next()]
    expect(seen.map(({ value }) => value)).toEqual([0, 1, 2, 3])
    const next = reader.next()
    await until(() => got.length > 0)
    expect(got).toEqual([4])
    stream.receive(4, encoded(4))
    stream.end(5)
    expect([(await next).value, (await reader.next()).done]).toEqual([4, true])
  })
})
