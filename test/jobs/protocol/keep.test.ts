import { afterEach, describe, expect, it, vi } from 'vitest'
import { NoSuchJobError } from '../../../src/common/errors.ts'
import { FakeCluster, type FakePeer } from '../fake-cluster.ts'
import { expected, type FakeRunner } from '../fake-runner.ts'
import { addPeers, gated, parts } from '../squares.ts'

let cluster: FakeCluster
let runners: FakeRunner[]

afterEach(async () => {
  vi.useRealTimers()
  await cluster.stop()
  expect(runners.map(({ openDrivers }) => openDrivers)).toEqual(runners.map(() => 0))
})

/** Starts three peers; the highest one leads. */
function start(task = {}): [FakePeer, FakePeer, FakePeer] {
  cluster = new FakeCluster()
  runners = addPeers(cluster, 3, task)
  const [a, b, c] = cluster.peers as [FakePeer, FakePeer, FakePeer]
  cluster.elect(c)
  return [a, b, c]
}

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

const attached = (peer: FakePeer): Promise<unknown> => peer.jobs.attach('night').catch((reason: unknown) => reason)

describe('the outcome of a job', () => {
  it('the leader keeps an outcome for the time that the client of the job requested', async () => {
    const [a, b] = start()
    fakeTimers()
    expect(await (await a.jobs.submit(parts(9), { id: 'night', keep: 3_600_000 })).result()).toBe(expected(9))
    await vi.advanceTimersByTimeAsync(3_590_000)
    expect(await (await b.jobs.attach('night')).result()).toBe(expected(9))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await attached(b)).toMatchObject({ name: 'NoSuchJobError', end: 'completed' })
  })

  it('an outcome is kept for that time again by the next leader', async () => {
    const [a, b, c] = start()
    fakeTimers()
    await (await a.jobs.submit(parts(9), { id: 'night', keep: 60_000 })).result()
    await vi.advanceTimersByTimeAsync(50_000)
    cluster.kill(c)
    cluster.elect(b)
    await vi.advanceTimersByTimeAsync(50_000)
    expect(await (await a.jobs.attach('night')).result()).toBe(expected(9))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await attached(a)).toBeInstanceOf(NoSuchJobError)
  })

  it('an outcome is kept for at least ten seconds by the next leader, for clients that waited when the last one died', async () => {
    const [a, b, c] = start()
    fakeTimers()
    await (await a.jobs.submit(parts(9), { id: 'night', keep: 1_000 })).result()
    cluster.kill(c)
    cluster.elect(b)
    await vi.advanceTimersByTimeAsync(9_000)
    expect(await (await a.jobs.attach('night')).result()).toBe(expected(9))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await attached(a)).toBeInstanceOf(NoSuchJobError)
  })

  it('an outcome with keep 0 is delivered to the clients that wait when the job ends, and to no later one', async () => {
    const { task, open } = gated()
    const [a, b] = start(task)
    const job = await a.jobs.submit(parts(9), { id: 'night', keep: 0 })
    const other = await b.jobs.attach('night')
    open()
    expect(await Promise.all([job.result(), other.result()])).toEqual([expected(9), expected(9)])
    expect(await attached(b)).toMatchObject({ name: 'NoSuchJobError', end: 'completed' })
  })
})
