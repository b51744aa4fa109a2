import { afterEach, describe, expect, it } from 'vitest'
import { JobCancelledError, NoSuchJobError } from '../../src/common/errors.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, type FakeRunner, type FakeTask } from './fake-runner.ts'
import { addPeers, aMinute, gated, never, parts, statesAt, until } from './squares.ts'

let cluster: FakeCluster
let runners: FakeRunner[]

function start(count: number, task: FakeTask = {}): FakePeer[] {
  cluster = new FakeCluster()
  runners = addPeers(cluster, count, task)
  return cluster.peers
}

const says = (type: string): boolean =>
  cluster.hub.sent.some(({ message }) => (message as { type: string }).type === type)

afterEach(async () => {
  await cluster.stop()
  expect(runners.map(({ openDrivers }) => openDrivers)).toEqual(runners.map(() => 0))
})

describe('attaching to a job by its id', () => {
  it('an attached client gets progress and the result', async () => {
    const { task, open } = gated(20)
    const [a, b, c] = start(3, task) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const submitted = await a.jobs.submit<number>(parts(40), { id: 'night' })
    await until(() => submitted.progress.done === 20)
    const job = await b.jobs.attach<number>('night')
    expect(job.progress).toMatchObject({ state: 'running', done: 20 })
    const lines: string[] = []
    job.addEventListener('log', ({ detail }) => lines.push(detail.line))
    open()
    cluster.kill(a)
    expect(await job.result()).toBe(expected(40))
    expect(job.stats).toMatchObject({ chunks: 40, recomputed: 0 })
    expect(lines).toContain('chunk 39')
  })

  it('a client that attaches to an ended job learns the end at once, from the same leader and from the next leader', async () => {
    const [a, b, c] = start(3) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    await (await a.jobs.submit(parts(30), { id: 'night' })).result()
    expect((await b.jobs.attach('night')).progress).toMatchObject({ state: 'completed', done: 30, total: 30 })
    cluster.kill(c)
    cluster.elect(b)
    const job = await a.jobs.attach<number>('night')
    expect(job.progress.state).toBe('completed')
    expect(await job.result()).toBe(expected(30))
  })

  it('an attached client gets the result of a detached job from the next leader, after the submitting client and the first leader have died', async () => {
    const { task, open } = gated()
    const [a, b, c, d] = start(4, task) as [FakePeer, FakePeer, FakePeer, FakePeer]
    cluster.elect(d)
    await a.jobs.submit(parts(30), { id: 'night', detach: true })
    const before = await b.jobs.attach<number>('night')
    cluster.kill(a)
    cluster.kill(d)
    cluster.elect(c)
    const after = await b.jobs.attach<number>('night')
    open()
    expect(await before.result()).toBe(expected(30))
    expect(await after.result()).toBe(expected(30))
    expect(await (await b.jobs.attach('night')).result()).toBe(expected(30))
  })

  it('attaching fails if the leader knows no job with the id', async () => {
    const [a, b] = start(2) as [FakePeer, FakePeer]
    cluster.elect(b)
    const error = await a.jobs.attach('never').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(NoSuchJobError)
    expect(error).toMatchObject({ jobId: 'never', end: undefined })
  })

  it('attaching to an abandoned job fails, and the error reports that the job was cancelled', async () => {
    const [a, b] = start(2, { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    await a.jobs.submit(parts(30), { id: 'orphan' })
    const states = statesAt(b)
    await aMinute(() => cluster.kill(a))
    await until(() => states.includes('cancelled'))
    const error = await b.jobs.attach('orphan').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'NoSuchJobError', jobId: 'orphan', end: 'cancelled' })
  })

  it('a job is not cancelled while an attached client waits, and is cancelled when the attached client leaves', async () => {
    const [a, b, c] = start(3, { run: never }) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    await a.jobs.submit(parts(30), { id: 'night' })
    const states = statesAt(c)
    const job = await b.jobs.attach('night')
    await aMinute(() => cluster.kill(a))
    expect(states).not.toContain('cancelled')
    await job[Symbol.asyncDispose]()
    await until(() => states.includes('cancelled'))
  })

  it('when the signal of an attach call aborts, the call rejects and the job continues', async () => {
    const { task, open } = gated()
    const [a, b] = start(2, task) as [FakePeer, FakePeer]
    const job = a.jobs.submit<number>(parts(30), { id: 'night', detach: true })
    const controller = new AbortController()
    const attached = a.jobs.attach('night', { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(attached).rejects.toThrow('enough')
    cluster.elect(b)
    open()
    expect(await (await job).result()).toBe(expected(30))
  })

  it('an attached client that leaves does not end a detached job', async () => {
    const { task, open } = gated()
    const [a, b, c] = start(3, task) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    await a.jobs.submit(parts(30), { id: 'night', detach: true })
    cluster.kill(a)
    await (await b.jobs.attach('night'))[Symbol.asyncDispose]()
    await until(() => says('leave'))
    open()
    expect(await (await b.jobs.attach('night')).result()).toBe(expected(30))
  })

  it('when an attached Job is disposed of, the submission of the same process under the same id continues', async () => {
    const { task, open } = gated()
    const [a, b] = start(2, task) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit<number>(parts(30), { id: 'night' })
    await (await a.jobs.attach('night'))[Symbol.asyncDispose]()
    open()
    expect(await job.result()).toBe(expected(30))
    expect(says('leave')).toBe(false)
  })

  it('an attached client gets the result although a different submission of the same process under the same id is refused', async () => {
    const { task, open } = gated()
    const [a, b, c] = start(3, task) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    await b.jobs.submit(parts(30), { id: 'night' })
    const job = await a.jobs.attach<number>('night')
    await expect(a.jobs.submit(parts(31), { id: 'night' })).rejects.toThrow(/refused/)
    open()
    expect(await job.result()).toBe(expected(30))
  })

  it('an attached client can cancel the job for all clients', async () => {
    const [a, b, c] = start(3, { run: never }) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const submitted = await a.jobs.submit(parts(30), { id: 'night', detach: true })
    const job = await b.jobs.attach('night')
    await job.cancel()
    expect(job.progress.state).toBe('cancelled')
    await expect(submitted.result()).rejects.toBeInstanceOf(JobCancelledError)
    expect((await b.jobs.attach('night')).progress.state).toBe('cancelled')
  })
})
