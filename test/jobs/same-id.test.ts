import { afterEach, describe, expect, it } from 'vitest'
import { NoSuchJobError } from '../../src/common/errors.ts'
import type { WorkMessage } from '../../src/jobs/protocol/work-messages.ts'
import type { JournalMessage } from '../../src/journal/messages.ts'
import type { Channel } from '../../src/network/types.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, FakeRunner } from './fake-runner.ts'
import { addPeers, aMinute, gated, never, parts, until } from './squares.ts'

let cluster: FakeCluster

afterEach(() => cluster.stop())

/** A limit of one tombstone. */
const ONE_ENDED = { endedJobs: 1 }

const typeOf = (message: unknown): string => (message as { type: string }).type

/** Whether the message has the end of a job whose outcome is dropped. */
function isForgotten(message: unknown): boolean {
  const said = message as JournalMessage
  return said.type === 'put' && said.entries.some(({ end, hasOutcome }) => end !== undefined && !hasOutcome)
}

/** Makes the peer forget all other ended jobs. */
async function forgetEnded(peer: FakePeer): Promise<void> {
  await (await peer.jobs.submit(parts(0), { keep: 0 })).result()
}

describe('a reused id of a job whose outcome is dropped', () => {
  let runners: FakeRunner[]
  const started = (): number[] => runners.flatMap(runner => runner.started)

  function start(task = {}): [FakePeer, FakePeer, FakePeer] {
    cluster = new FakeCluster()
    runners = addPeers(cluster, 3, task)
    const [a, b, c] = cluster.peers as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    return [a, b, c]
  }

  it('a second job with the id of an ended job does not run, and the error reports how the first job ended and advises another id', async () => {
    const [a, b] = start()
    await (await a.jobs.submit(parts(9), { id: 'nightly', keep: 0 })).result()
    for (const peer of [a, b]) {
      const error = await peer.jobs.submit(parts(9), { id: 'nightly', keep: 0 }).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(NoSuchJobError)
      expect(error).toMatchObject({ jobId: 'nightly', end: 'completed' })
      expect((error as Error).message).toContain('another id')
    }
    expect(started()).toHaveLength(9)
  })

  it('a second job with other content is refused, as it was while the first one ran', async () => {
    const [a, b] = start()
    await (await a.jobs.submit(parts(9), { id: 'nightly', keep: 0 })).result()
    await expect(b.jobs.submit(parts(8), { id: 'nightly' })).rejects.toThrow('another job has the id nightly')
    expect(started()).toHaveLength(9)
  })

  it('a second job does not run under later leaders, which also refuse other content', async () => {
    const [a, b, c] = start()
    await (await a.jobs.submit(parts(9), { id: 'nightly', keep: 0 })).result()
    // The journal records that an outcome existed and was dropped.
    await until(() => cluster.hub.sent.some(({ to, message }) => to === b.id && isForgotten(message)))
    cluster.kill(c)
    cluster.elect(b)
    await expect(a.jobs.submit(parts(9), { id: 'nightly' })).rejects.toThrow(NoSuchJobError)
    await expect(a.jobs.submit(parts(8), { id: 'nightly' })).rejects.toThrow('another job has the id nightly')
    cluster.kill(b)
    cluster.elect(a)
    await expect(a.jobs.submit(parts(9), { id: 'nightly' })).rejects.toThrow(NoSuchJobError)
    await expect(a.jobs.submit(parts(8), { id: 'nightly' })).rejects.toThrow('another job has the id nightly')
    expect(started()).toHaveLength(9)
  })

  it('a second job does not run after a partition, on the side that had not run the first one', async () => {
    const [a, b, c] = start()
    const apart = (state: 'alive' | 'dead'): void => {
      for (const one of [a, b]) {
        one.membership.set({ ...c.membership.self, state })
        c.membership.set({ ...one.membership.self, state })
      }
    }
    apart('dead')
    for (const { election } of [a, b]) election.set({ id: b.id, epoch: 2, rank: { priority: 0, id: b.id } })
    await (await c.jobs.submit(parts(9), { id: 'nightly', keep: 0 })).result()
    c.election.set({ id: b.id, epoch: 2, rank: { priority: 0, id: b.id } })
    apart('alive')
    await until(() => cluster.hub.sent.some(({ from, message }) => from === c.id && typeOf(message) === 'heads'))
    await expect(a.jobs.submit(parts(9), { id: 'nightly' })).rejects.toThrow(NoSuchJobError)
    await expect(b.jobs.submit(parts(8), { id: 'nightly' })).rejects.toThrow('another job has the id nightly')
    expect(started()).toHaveLength(9)
  })

  it('a second job starts over if the first one was abandoned without a waiting client', async () => {
    const [a, , c] = start({ run: never })
    await a.jobs.submit(parts(9), { id: 'nightly', keep: 0 })
    await until(() => started().length > 0)
    await aMinute(() => cluster.kill(a))
    runners[1]!.task = {}
    runners[2]!.task = {}
    const again = await c.jobs.submit<number>(parts(9), { id: 'nightly' })
    expect(await again.result()).toBe(expected(9))
  })

  it('a second job may have other content when the first one is forgotten', async () => {
    cluster = new FakeCluster()
    const peer = cluster.add(new FakeRunner(1), {}, ONE_ENDED)
    cluster.elect(peer)
    await (await peer.jobs.submit(parts(9), { id: 'nightly', keep: 0 })).result()
    await forgetEnded(peer)
    expect(await (await peer.jobs.submit<number>(parts(8), { id: 'nightly' })).result()).toBe(expected(8))
  })
})

describe('a reused id of a forgotten job', () => {
  it('a second job ignores partials of the first one, however late they arrive', async () => {
    cluster = new FakeCluster()
    const runner = new FakeRunner(1, { run: () => 12_345 })
    const worker = cluster.add(runner)
    const leader = cluster.add(new FakeRunner(1), { role: 'leader' }, ONE_ENDED)
    cluster.elect(leader)
    // This submission opens the channels.
    await forgetEnded(leader)

    // The worker's messages about chunks are delayed.
    const delayed: (() => Promise<void>)[] = []
    let isSlow = true
    for (const channel of cluster.hub.channels as Set<Channel<unknown> & { owner: string; spec: { name: string } }>) {
      if (channel.owner !== worker.id || channel.spec.name !== 'work') continue
      const send = channel.send.bind(channel)
      channel.send = message => {
        if (!isSlow || (message as WorkMessage).type !== 'outcomes') return send(message)
        delayed.push(() => send(message))
        return Promise.resolve()
      }
    }
    const second = await leader.jobs.submit<number>(parts(1), { id: 'nightly', keep: 0 })
    await until(() => delayed.length === 1)
    await second.cancel()
    isSlow = false
    await forgetEnded(leader)

    const { task, open } = gated()
    runner.task = task
    const third = await leader.jobs.submit<number>(parts(2), { id: 'nightly', keep: 0 })
    await until(() => runner.running === 1)
    for (const send of delayed) await send()
    open()
    expect(await third.result()).toBe(expected(2))
  })

  it('a second job does not fail when a split of the first one ends late', async () => {
    cluster = new FakeCluster()
    const splits: ((error: Error) => void)[] = []
    const split = (): Promise<void> =>
      splits.length === 0 ? new Promise((_, reject) => splits.push(reject)) : Promise.resolve()
    const runner = new FakeRunner(1, { split })
    const peer = cluster.add(runner, {}, ONE_ENDED)
    cluster.elect(peer)
    const first = await peer.jobs.submit<number>(parts(1), { id: 'nightly', keep: 0 })
    await until(() => splits.length === 1)
    await first.cancel()
    await forgetEnded(peer)
    const { task, open } = gated()
    runner.task = task
    const second = await peer.jobs.submit<number>(parts(2), { id: 'nightly', keep: 0 })
    splits[0]!(new Error('the first job is over'))
    await new Promise(resolve => setImmediate(resolve))
    open()
    expect(await second.result()).toBe(expected(2))
  })
})
