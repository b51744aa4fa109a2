import { afterEach, expect, test } from 'vitest'
import type { WorkMessage } from '../../../src/jobs/protocol/work-messages.ts'
import type { JournalMessage } from '../../../src/journal/messages.ts'
import type { JobRecord } from '../../../src/journal/record.ts'
import type { Channel } from '../../../src/network/types.ts'
import { packIndexed } from '../../../src/tasks/values/pack.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import { FakeCluster, type FakePeer } from '../fake-cluster.ts'
import { expected, FakeRunner } from '../fake-runner.ts'
import { gated, parts, until } from '../squares.ts'

let cluster: FakeCluster

afterEach(() => cluster.stop())

/** The channel from one peer to another. */
function channelOf<T>(from: FakePeer, to: FakePeer, protocol: string): Channel<T> {
  const channels = cluster.hub.channels as Set<Channel<unknown> & { owner: string; spec: { name: string } }>
  const found = [...channels].find(
    ({ owner, remote, spec }) => owner === from.id && remote === to.id && spec.name === protocol
  )
  if (found === undefined) throw new Error(`${from.id} does not speak "${protocol}" with ${to.id}`)
  return found as unknown as Channel<T>
}

/**
 * A leader without own chunks, two workers with one slot each, and a job with a running chunk at each worker that waits
 * for `open`.
 */
async function underWay() {
  cluster = new FakeCluster()
  const { task, open } = gated()
  const runners = [new FakeRunner(1, task), new FakeRunner(1, task)] as const
  const forger = cluster.add(runners[0])
  const honest = cluster.add(runners[1])
  const leader = cluster.add(new FakeRunner(1), { role: 'leader' })
  cluster.elect(leader)
  const job = await leader.jobs.submit<number>(parts(40))
  await until(() => runners.every(({ running }) => running === 1))
  const refused = (peer: FakePeer, kind: 'chunk' | 'journal') => peer.network.refusals.counts()[kind]
  const sent = <T extends { type: string }>(protocol: string, type: string) =>
    cluster.hub.sent.find(each => each.protocol === protocol && (each.message as T).type === type)?.message as T
  const batches = (to: FakePeer) =>
    cluster.hub.sent
      .filter(each => each.protocol === 'work' && each.to === to.id)
      .map(({ message }) => message as WorkMessage)
      .filter(message => message.type === 'batch')
  return { forger, honest, leader, job, open, refused, sent, batches, runners }
}

/** Outcomes of a worker, in which every partial is a million. */
function outcomes(job: string, submissionId: string, indices: readonly number[]): WorkMessage {
  const partials = packIndexed(indices.map(index => ({ index, bytes: encode(1_000_000, 'partial') })))
  return { epoch: 1, type: 'outcomes', job, submissionId, partials, failed: [], busyMs: 1 }
}

test('partials of chunks that a worker never had are counted and ignored', async () => {
  const { forger, honest, leader, job, open, refused, batches } = await underWay()
  const [batch] = batches(forger)
  const others = batches(honest).flatMap(({ indices }) => indices)
  expect(others.length).toBeGreaterThan(0)
  const channel = channelOf<WorkMessage>(forger, leader, 'work')
  await channel.send(outcomes(job.id, batch!.submissionId, others))
  expect(refused(leader, 'chunk')).toBe(others.length)
  // These chunks do not exist at all.
  await channel.send(outcomes(job.id, batch!.submissionId, [40, 1_000_000]))
  expect(refused(leader, 'chunk')).toBe(others.length + 2)
  const failure = { function: 'run' as const, name: 'Error', message: 'forged', stack: '' }
  const failed = others.map(index => ({ index, failure: { ...failure, index } }))
  await channel.send({ ...outcomes(job.id, batch!.submissionId, []), failed } as WorkMessage)
  expect(refused(leader, 'chunk')).toBe(2 * others.length + 2)
  open()
  expect(await job.result()).toBe(expected(40))
})

test('late or repeated outcomes of chunks that a worker once had are not forgeries', async () => {
  const { forger, leader, job, open, refused, batches } = await underWay()
  const given = batches(forger)
  open()
  expect(await job.result()).toBe(expected(40))
  const channel = channelOf<WorkMessage>(forger, leader, 'work')
  // These outcomes belong to an ended job.
  for (const { submissionId, indices } of given) await channel.send(outcomes(job.id, submissionId, indices))
  expect(refused(leader, 'chunk')).toBe(0)
})

test('a peer refuses and counts journal messages from a forger that does not lead, and answers a fetch of the forger without the entry', async () => {
  const { forger, honest, leader, job, open, refused, sent } = await underWay()
  const put = sent<JournalMessage>('journal', 'put') as Extract<JournalMessage, { type: 'put' }>
  const entry = put.entries[0]!
  expect(entry.job).toBe(job.id)
  const protocol = forger.network.protocols.get('journal')!
  const own = forger.network.register<JournalMessage>(protocol.spec as never, protocol.handler as never)
  const channel = await own.channel(honest.id)
  const outcome = {
    type: 'cancelled' as const,
    stats: { chunks: 0, retries: 0, recomputed: 0, speculated: 0, perPeer: {} }
  }
  const record = { ...(entry.record as JobRecord), submission: undefined, checkpoint: undefined, outcome }
  const ended = { ...entry, end: 'cancelled' as const, hasOutcome: true, record }
  const inOwnName = { ...ended.stamp, epoch: 2, rank: { priority: 0, id: forger.id } }
  // The first entry claims to come from the leader, the second from the forger itself.
  await channel.send({ epoch: 1, type: 'put', entries: [ended] })
  await channel.send({ epoch: 2, type: 'put', entries: [{ ...ended, stamp: inOwnName }] })
  await channel.send({ epoch: 2, type: 'copy', entry: ended })
  await channel.send({ epoch: 2, type: 'forget', job: job.id, stamp: { ...ended.stamp, version: 1_000 } })
  expect(refused(honest, 'journal')).toBeGreaterThanOrEqual(4)
  const before = refused(honest, 'journal')
  await channel.send({ epoch: 1, type: 'fetch', job: job.id })
  expect(refused(honest, 'journal')).toBe(before + 1)
  await until(() => sent<JournalMessage>('journal', 'fetched') !== undefined)
  expect((sent<JournalMessage>('journal', 'fetched') as { entry?: unknown }).entry).toBeUndefined()
  expect(refused(leader, 'journal')).toBe(0)
  // The next leader finds the job unchanged, and resumes it.
  cluster.elect(honest)
  open()
  expect(await job.result()).toBe(expected(40))
  expect(refused(honest, 'journal')).toBe(before + 1)
})
