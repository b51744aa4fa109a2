/** Tests with more jobs than a leader accepts, so that submissions wait. All limits have their defaults. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NoClusterError } from '../../src/common/errors.ts'
import { DEFAULT_LIMITS } from '../../src/common/limits.ts'
import type { Job } from '../../src/jobs/shared/types.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, FakeRunner } from './fake-runner.ts'
import { gated, parts, until } from './squares.ts'

const { jobs, jobsPerClient } = DEFAULT_LIMITS

let cluster: FakeCluster
let open: () => void
let runners: FakeRunner[]
/** A peer that computes, two that only submit, and the leader; chunks wait for `open`. */
let worker: FakePeer
let a: FakePeer
let b: FakePeer
let leader: FakePeer

beforeEach(() => {
  cluster = new FakeCluster()
  const gate = gated()
  open = gate.open
  runners = []
  const add = (role: 'auto' | 'leader'): FakePeer => {
    const runner = new FakeRunner(4, gate.task)
    runners.push(runner)
    return cluster.add(runner, { role })
  }
  worker = add('auto')
  a = add('leader')
  b = add('leader')
  leader = add('leader')
  cluster.elect(leader)
})

afterEach(() => cluster.stop())

const submit = (peer: FakePeer, total = 1, signal?: AbortSignal): Promise<Job<number>> =>
  peer.jobs.submit<number>(parts(total), { signal, keep: 0 })

const answered = (type: string) => cluster.hub.sent.filter(({ message }) => (message as { type: string }).type === type)

/** Submits this many jobs, and lists the accepted ones. */
function submitAll(peer: FakePeer, count: number): { all: Promise<Job<number>>[]; accepted: Job<number>[] } {
  const accepted: Job<number>[] = []
  const all = Array.from({ length: count }, async () => {
    const job = await submit(peer)
    accepted.push(job)
    return job
  })
  for (const each of all) each.catch(() => {})
  return { all, accepted }
}

test('a client that submits more jobs at once than a leader accepts gets all results without a refusal', async () => {
  const told: string[] = []
  a.jobs.addEventListener('waiting', ({ detail }) => told.push(detail.reason))
  const totals = Array.from({ length: 1.5 * jobsPerClient }, (_, i) => 1 + (i % 2))
  const results = totals.map(async total => await (await submit(a, total)).result())
  await until(() => told.length > 0)
  open()
  expect(await Promise.all(results)).toEqual(totals.map(expected))
  expect(leader.network.refusals.counts().rate).toBe(0)
  // The client is told once for all its jobs.
  expect(told).toEqual([`${jobsPerClient} jobs of ${a.id} are under way`])
})

test('a client that submits in a loop without waiting for results gets all of them', async () => {
  open()
  const results: Promise<number>[] = []
  for (let i = 0; i < 1.25 * jobsPerClient; i++) results.push((await submit(a)).result())
  expect(await Promise.all(results)).toEqual(results.map(() => expected(1)))
})

test('one job of another client is accepted before any job of clients with many waiting jobs has ended', async () => {
  const first = submitAll(a, jobs)
  const second = submitAll(b, jobs)
  await until(() => answered('busy').some(({ to }) => to === a.id) && answered('busy').some(({ to }) => to === b.id))
  await submit(worker)
  const underWay = first.accepted.length + second.accepted.length
  expect(underWay).toBeGreaterThan(jobs / 2)
  expect(underWay).toBeLessThan(jobs)
})

test('a waiting submission is removed when its signal aborts, and never reaches the leader', async () => {
  const { accepted } = submitAll(a, jobsPerClient + 50)
  await until(() => accepted.length === jobsPerClient && answered('busy').length > 0)
  const over = new AbortController()
  const told = answered('submit').length
  const waits = submit(a, 7, over.signal)
  over.abort(new Error('enough'))
  await expect(waits).rejects.toThrow('enough')
  expect(answered('submit')).toHaveLength(told)
})

test('a client that stops rejects its waiting submissions', async () => {
  const { all, accepted } = submitAll(a, jobsPerClient + 50)
  await until(() => accepted.length === jobsPerClient && answered('busy').length > 0)
  await a.jobs.stop()
  const settled = await Promise.allSettled(all)
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(50)
})

test('submissions that wait when the leader dies are computed under the next one, once each', async () => {
  const { all, accepted } = submitAll(a, jobsPerClient + 60)
  await until(() => accepted.length === jobsPerClient && answered('busy').length > 0)
  cluster.kill(leader)
  cluster.elect(b)
  open()
  const done = await Promise.all(all.map(async job => (await job).result()))
  expect(done).toEqual(all.map(() => expected(1)))
  expect(runners.flatMap(({ started }) => started)).toHaveLength(all.length)
})

test('all waiting submissions fail together without a leader', async () => {
  const { all, accepted } = submitAll(a, jobsPerClient + 100)
  await until(() => accepted.length === jobsPerClient && answered('busy').length > 0)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    cluster.kill(leader)
    for (const peer of cluster.peers) if (peer !== leader) peer.election.set(undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    const settled = await Promise.allSettled(all)
    const gaveUp = settled.flatMap(each => (each.status === 'rejected' ? [each.reason as unknown] : []))
    expect(gaveUp).toHaveLength(100)
    expect(gaveUp.every(error => error instanceof NoClusterError)).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
