import { afterEach, describe, expect, it } from 'vitest'
import { type SubmitMessage, submitProtocol } from '../../src/jobs/protocol/submit-messages.ts'
import { JournalReplica } from '../../src/journal/core/replica.ts'
import { bytesOfRecord, type JournalRecord } from '../../src/journal/record.ts'
import { FakeCluster, FakeNetwork, type FakePeer, IDS } from './fake-cluster.ts'
import { expected, FakeRunner } from './fake-runner.ts'
import { gated, parts, statesAt, until } from './squares.ts'

let cluster: FakeCluster

afterEach(() => cluster.stop())

const TOTAL = 30

/** Starts three peers whose leader adopts the suspended job `night`, of which a checkpoint covers 10 chunks at least. */
async function suspended(limits = {}) {
  const replicas = [0, 1, 2].map(() => new JournalReplica<JournalRecord>(undefined, bytesOfRecord))
  cluster = new FakeCluster()
  for (const replica of replicas) cluster.add(new FakeRunner(1, gated(20).task), {}, {}, { replica })
  cluster.elect(cluster.peers[2]!)
  await cluster.peers[0]!.jobs.submit<number>(parts(TOTAL), { id: 'night', detach: true })
  const [standby] = replicas
  await until(() => (standby!.get('night')?.next ?? 0) > 10)
  const entry = standby!.get('night')!
  await cluster.stop()
  cluster = new FakeCluster(10)
  const runners = [0, 1, 2].map(() => new FakeRunner(1))
  const [client, , leader] = runners.map((runner, i) => {
    const replica = new JournalReplica<JournalRecord>(undefined, bytesOfRecord)
    if (i === 0) replica.restore({ entries: [{ ...entry, isSuspended: true }], reader: undefined, list: undefined })
    replicas[i] = replica
    return cluster.add(runner, {}, limits, { replica })
  }) as [FakePeer, FakePeer, FakePeer]
  const states = statesAt(leader)
  cluster.elect(leader)
  await until(() => states.length > 0)
  expect(states[0]).toBe('suspended')
  const started = (): number => runners.reduce((sum, { started }) => sum + started.length, 0)
  const isSuspended = (i: number): boolean => replicas[i]!.get('night')?.isSuspended === true
  return { client, leader, states, started, isSuspended, replicas }
}

/** Sends a message to the leader, and returns the answers. */
async function say(leader: FakePeer, message: SubmitMessage): Promise<SubmitMessage[]> {
  const answers: SubmitMessage[] = []
  const protocol = new FakeNetwork(IDS[3]!, cluster.hub).register(submitProtocol, {
    onMessage: answer => void answers.push(answer)
  })
  await (await protocol.channel(leader.id)).send(message)
  return answers
}

const watch = { job: 'night', type: 'watch', seen: 0, got: 0 } as const

// If a suspended job runs, some of these tests wait for answers that never come.
describe('a suspended job', { timeout: 20_000 }, () => {
  it('does not run, is listed, and is kept by the standbys', async () => {
    const { client, started, isSuspended } = await suspended()
    const { jobs } = await client.jobs.overview(AbortSignal.timeout(5_000))
    expect(jobs).toMatchObject([{ jobId: 'night', task: 'squares', state: 'suspended', total: undefined }])
    expect(jobs[0]!.done).toBeGreaterThan(10)
    await until(() => isSuspended(1) && isSuspended(2))
    expect(started()).toBe(0)
  })

  it('a client that attaches to it gets a JobSuspendedError', async () => {
    const { client } = await suspended()
    await expect(client.jobs.attach('night')).rejects.toMatchObject({ name: 'JobSuspendedError', jobId: 'night' })
  })

  it('a submission with its id and content resumes it from its checkpoint', async () => {
    const { client, states, started, isSuspended } = await suspended()
    const job = await client.jobs.submit<number>(parts(TOTAL), { id: 'night' })
    expect(await job.result()).toBe(expected(TOTAL))
    expect(states).toEqual(['suspended', 'resumed', 'running', 'completed'])
    expect(started()).toBeLessThan(20)
    expect([0, 1, 2].map(isSuspended)).toEqual([false, false, false])
  })

  it('a submission of something else under its id is refused', async () => {
    const { client, isSuspended } = await suspended()
    await expect(client.jobs.submit(parts(7), { id: 'night' })).rejects.toThrow(/another job has the id night/)
    expect(isSuspended(2)).toBe(true)
  })

  it('a client that resumes it need not wait for it', async () => {
    const { client, leader, states } = await suspended()
    const answers = await say(leader, { ...watch, resume: true })
    await until(() => answers.some(({ type }) => type === 'accepted'))
    await say(leader, { job: 'night', type: 'leave' })
    await until(() => states.includes('completed'))
    expect(await (await client.jobs.attach<number>('night')).result()).toBe(expected(TOTAL))
  })

  it('a cancel ends it', async () => {
    const { client, leader, replicas } = await suspended()
    const answers = await say(leader, { job: 'night', type: 'cancel' })
    await until(() => answers.length > 0)
    expect(answers[0]!.type).toBe('cancelled')
    expect(replicas[2]!.get('night')).toMatchObject({ end: 'cancelled' })
    const { jobs } = await client.jobs.overview(AbortSignal.timeout(5_000))
    expect(jobs).toMatchObject([{ jobId: 'night', state: 'cancelled' }])
  })

  it('counts against the limits of clients', async () => {
    const { client } = await suspended({ jobs: 1 })
    const job = client.jobs.submit(parts(3), { id: 'day', signal: AbortSignal.timeout(500) })
    await expect(job).rejects.toThrow()
    await (await client.jobs.submit(parts(TOTAL), { id: 'night' })).result()
    expect(await (await client.jobs.submit<number>(parts(3), { id: 'day' })).result()).toBe(expected(3))
  })
})
