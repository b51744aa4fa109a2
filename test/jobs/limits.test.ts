import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Limits } from '../../src/common/limits.ts'
import type { SubmitMessage } from '../../src/jobs/protocol/submit-messages.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, FakeRunner } from './fake-runner.ts'
import { gated, parts, until } from './squares.ts'

let cluster: FakeCluster

afterEach(() => cluster.stop())

/** Starts a client, a client that also computes, and a leader with these limits; chunks wait for `open`. */
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

/** Submits a job and waits until its leader has answered `busy`. */
async function waiting(peer: FakePeer): Promise<{ job: ReturnType<typeof submit>; reason: string }> {
  const told = new Promise<string>(resolve => {
    peer.jobs.addEventListener('waiting', ({ detail }) => resolve(detail.reason), { once: true })
  })
  const job = submit(peer)
  return { job, reason: await told }
}

test('a client at its limit of jobs waits with another job, and other clients do not', async () => {
  const { a, b, leader, open } = limited({ jobsPerClient: 2 })
  const jobs = [await submit(a), await submit(a)]
  const { job, reason } = await waiting(a)
  expect(reason).toBe(`2 jobs of ${a.id} are under way`)
  jobs.push(await submit(b))
  open()
  for (const each of [...jobs, await job]) expect(await each.result()).toBe(expected(1))
  expect(leader.network.refusals.counts().rate).toBe(0)
})

test('a leader at its limit of jobs makes further jobs of all clients wait', async () => {
  const { a, b, open } = limited({ jobs: 1 })
  const first = await submit(a)
  const { job, reason } = await waiting(b)
  expect(reason).toBe('1 of 1 jobs are under way')
  open()
  expect(await first.result()).toBe(expected(1))
  expect(await (await job).result()).toBe(expected(1))
})

test('a job is refused if its code and input exceed the limit of all jobs', async () => {
  const { a, leader, open } = limited({ jobBytes: 8 * 2 ** 20 })
  const { bundle } = parts(1)
  const large = { bundle, input: new Uint8Array(9 * 2 ** 20) }
  await expect(a.jobs.submit(large)).rejects.toThrow('8388608')
  expect(leader.network.refusals.counts().rate).toBe(1)
  open()
  expect(await (await submit(a)).result()).toBe(expected(1))
})

test('a client above the job rate waits with some of its jobs', async () => {
  // Time stands still, so the rate allows no further job before the test moves the time.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { a, leader, open } = limited({ jobBurst: 3, jobRate: 1 })
  open()
  for (let i = 0; i < 3; i++) await (await submit(a)).result()
  const { job, reason } = await waiting(a)
  expect(reason).toContain('more than 1 jobs a second')
  vi.advanceTimersByTime(1_000)
  expect(await (await job).result()).toBe(expected(1))
  expect(leader.network.refusals.counts().rate).toBe(0)
})

test('a client that ignores busy replies is refused and counted, and its jobs are not kept', async () => {
  // Time stands still, so the rate of busy replies does not recover.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { a, b, leader, open } = limited({ jobsPerClient: 1 })
  const first = await submit(b)
  const answers = new Map<string, number>()
  const { handler } = b.network.protocols.get('submit')!
  handler.onMessage = message => {
    const { type } = message as SubmitMessage
    answers.set(type, (answers.get(type) ?? 0) + 1)
  }
  const [channel] = [...cluster.hub.channels].filter(({ owner, spec }) => owner === b.id && spec.name === 'submit')
  const { message } = cluster.hub.sent.find(sent => (sent.message as SubmitMessage).type === 'submit')!
  const hello = message as Extract<SubmitMessage, { type: 'submit' }>
  for (let i = 0; i < 1_500; i++) await channel!.send({ ...hello, job: `job-${i}` })
  await until(() => (answers.get('refused') ?? 0) + (answers.get('busy') ?? 0) === 1_500)
  expect(answers.get('refused')).toBeGreaterThan(0)
  expect(leader.network.refusals.counts().rate).toBe(answers.get('refused'))
  expect((await a.jobs.overview()).jobs.map(({ jobId }) => jobId)).toEqual([first.id])
  expect(await (await submit(a)).id).toBeDefined()
  open()
})

test('a leader drops the outcomes above its limit', async () => {
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

test('a full journal accepts no further job, so a job stored nowhere else is not acknowledged', async () => {
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
