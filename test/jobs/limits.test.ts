import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Limits } from '../../src/limits.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, FakeRunner } from './fake-runner.ts'
import { gated, parts } from './squares.ts'

let cluster: FakeCluster

afterEach(() => cluster.stop())

/** Two clients, one of which computes, and a leader with these limits; chunks wait for `open`. */
function limited(limits: Partial<Limits>): { a: FakePeer; b: FakePeer; leader: FakePeer; open: () => void } {
  cluster = new FakeCluster()
  const { task, open } = gated()
  const a = cluster.add(new FakeRunner(1, task))
  const b = cluster.add(new FakeRunner(1, task), { role: 'leader' })
  const leader = cluster.add(new FakeRunner(1, task), { role: 'leader' }, limits)
  cluster.elect(leader)
  return { a, b, leader, open }
}

const submit = (peer: FakePeer, total = 1) => peer.jobs.submit<number>(parts(total))

test('a client that has as many jobs under way as it may is refused another one, and others are not', async () => {
  const { a, b, leader, open } = limited({ jobsPerClient: 2 })
  const jobs = [await submit(a), await submit(a)]
  await expect(submit(a)).rejects.toThrow(`2 jobs of ${a.id} are under way`)
  expect(leader.network.refusals.counts().rate).toBe(1)
  jobs.push(await submit(b))
  open()
  for (const job of jobs) expect(await job.result()).toBe(expected(1))
  expect(await (await submit(a)).result()).toBe(expected(1))
})

test('as many jobs are under way as a leader may have, whoever submits them', async () => {
  const { a, b, open } = limited({ jobs: 1 })
  const job = await submit(a)
  await expect(submit(b)).rejects.toThrow('1 jobs are under way: submit it again later')
  open()
  expect(await job.result()).toBe(expected(1))
})

test('code and input of all jobs under way have a bound', async () => {
  const { a, open } = limited({ jobBytes: 8 * 2 ** 20 })
  const { bundle } = parts(1)
  const large = { bundle, input: new Uint8Array(9 * 2 ** 20) }
  await expect(a.jobs.submit(large)).rejects.toThrow('8388608 bytes')
  open()
  expect(await (await submit(a)).result()).toBe(expected(1))
})

test('whoever submits more jobs a second than anybody may is refused some of them', async () => {
  // No time passes in which anything is made good.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { a, leader, open } = limited({ jobBurst: 3, jobRate: 1 })
  open()
  for (let i = 0; i < 3; i++) await (await submit(a)).result()
  await expect(submit(a)).rejects.toThrow('more than 1 jobs a second')
  expect(leader.network.refusals.counts().rate).toBe(1)
})

test('of outcomes that a leader keeps, those above the limit go', async () => {
  const { a, b, open } = limited({ outcomes: 2 })
  open()
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    const job = await submit(a)
    await job.result()
    ids.push(job.id)
  }
  const [first, second, third] = await Promise.allSettled(
    ids.map(async id => await (await b.jobs.attach<number>(id)).result())
  )
  expect(first).toMatchObject({ status: 'rejected' })
  expect([second, third]).toMatchObject([{ value: expected(1) }, { value: expected(1) }])
})

test('a journal that is full takes no job more, so none is acknowledged that is kept nowhere else', async () => {
  cluster = new FakeCluster()
  const keeper = cluster.add(new FakeRunner(1), {}, { journalEntries: 1 })
  const leader = cluster.add(new FakeRunner(1))
  cluster.elect(leader)
  expect(await (await leader.jobs.submit<number>(parts(2))).result()).toBe(expected(2))
  const second = leader.jobs.submit<number>(parts(2))
  let accepted = false
  second.then(
    () => {
      accepted = true
    },
    () => {}
  )
  while (keeper.network.refusals.counts().rate === 0) await new Promise(resolve => setTimeout(resolve, 5))
  expect(accepted).toBe(false)
})
