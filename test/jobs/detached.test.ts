import { afterEach, describe, expect, it, vi } from 'vitest'
import { JobCancelledError, NoClusterError, StoppedError } from '../../src/common/errors.ts'
import { DEFAULT_SETTINGS } from '../../src/jobs/scheduler/index.ts'
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

afterEach(async () => {
  await cluster.stop()
  expect(runners.map(({ openDrivers }) => openDrivers)).toEqual(runners.map(() => 0))
})

describe('a detached job', () => {
  it('a job that no peer can compute has no thread, beyond the first few, until such a peer joins', async () => {
    const [a, b] = start(2) as [FakePeer, FakePeer]
    cluster.elect(b)
    const jobs = []
    for (let i = 0; i < 30; i++)
      jobs.push(await a.jobs.submit<number>(parts(3), { detach: true, requires: { gpu: 'yes' } }))
    expect(runners[1]!.openDrivers).toBe(DEFAULT_SETTINGS.maxUnserved)
    b.membership.set({ ...a.membership.self, revision: 1, tags: { gpu: 'yes' } })
    for (const job of jobs) expect(await job.result()).toBe(expected(3))
  })

  it('a detached job completes after its client has died', async () => {
    const { task, open } = gated()
    const [a, b] = start(2, task) as [FakePeer, FakePeer]
    cluster.elect(b)
    await a.jobs.submit(parts(30), { detach: true })
    const states = statesAt(b)
    await until(() => runners[1]!.running === 1)
    await aMinute(() => cluster.kill(a))
    open()
    await until(() => states.includes('completed'))
    expect(states).not.toContain('cancelled')
  })

  it('a detached job completes after its client has stopped, and the client does not report the job as cancelled', async () => {
    const { task, open } = gated()
    const [a, b] = start(2, task) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit(parts(30), { detach: true })
    const [atClient, atLeader] = [statesAt(a), statesAt(b)]
    await until(() => runners[1]!.running === 1)
    const left = (): boolean => cluster.hub.sent.some(({ message }) => (message as { type: string }).type === 'leave')
    await a.jobs.stop()
    await until(left)
    cluster.kill(a)
    open()
    await until(() => atLeader.includes('completed'))
    await expect(job.result()).rejects.toBeInstanceOf(StoppedError)
    expect(atClient).not.toContain('cancelled')
  })

  it('a detached job completes after the client has disposed of the Job object', async () => {
    const { task, open } = gated()
    const [a, b] = start(2, task) as [FakePeer, FakePeer]
    cluster.elect(b)
    const states = statesAt(b)
    {
      await using job = await a.jobs.submit(parts(30), { detach: true })
      await until(() => job.progress.state === 'running')
    }
    open()
    await until(() => states.includes('completed'))
  })

  it('a detached job completes under the next leader after its client and its first leader have died', async () => {
    const { task, open } = gated()
    const [a, b, c] = start(3, task) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    await a.jobs.submit(parts(30), { detach: true, id: 'night' })
    await until(() => runners[1]!.running === 1)
    const states = statesAt(b)
    cluster.kill(a)
    cluster.kill(c)
    await aMinute(() => cluster.elect(b))
    open()
    await until(() => states.includes('completed'))
    expect(states).not.toContain('cancelled')
  })

  it('cancelling a detached job fails with NoClusterError if no peer leads', async () => {
    const [a, b] = start(2, { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit(parts(30), { detach: true })
    cluster.kill(b)
    a.election.set(undefined)
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new Error('10 s')))
    await expect(job.cancel()).rejects.toBeInstanceOf(NoClusterError)
    timeout.mockRestore()
  })
})

describe('a job that is cancelled', () => {
  it('when the leader dies before it receives the cancel of a client, the next leader cancels the job', async () => {
    const [a, b, c] = start(3, { run: never }) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit(parts(30), { id: 'night' })
    await until(() => runners[0]!.running === 1)
    const states = statesAt(b)
    cluster.kill(c)
    const cancelled = job.cancel()
    cluster.elect(b)
    await cancelled
    await expect(job.result()).rejects.toBeInstanceOf(JobCancelledError)
    expect(states.at(-1)).toBe('cancelled')
    // No live peer runs a chunk of the job any more.
    await until(() => runners.slice(0, 2).every(({ running }) => running === 0))
  })
})
