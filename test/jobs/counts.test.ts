import pDefer from 'p-defer'
import { afterEach, describe, expect, it } from 'vitest'
import type { BatchMessage } from '../../src/jobs/protocol/work-messages.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, FakeRunner, type FakeTask } from './fake-runner.ts'
import { never, parts } from './squares.ts'

let cluster: FakeCluster

function start(slots: number[], task: FakeTask = {}): FakePeer[] {
  cluster = new FakeCluster()
  return slots.map(count => cluster.add(new FakeRunner(count, task)))
}

afterEach(() => cluster.stop())

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

describe('the counts of a peer', () => {
  it('the leader of a job counts each chunk once, and the worker that ran a chunk counts that chunk once', async () => {
    const [a, b] = start([2, 2]) as [FakePeer, FakePeer]
    cluster.elect(b)
    await (await a.jobs.submit(parts(300))).result()
    const { led, leading, batchSizes } = b.jobs.stats()
    expect(led).toEqual({ folded: 300, retried: 0, speculated: 0, recomputed: 0, dispatched: 300 })
    expect(leading).toEqual({
      jobs: 0,
      unserved: 0,
      ready: 0,
      dispatched: 0,
      unfolded: 0,
      unfoldedBytes: 0,
      checkpointAge: undefined
    })
    expect(batchSizes.sum).toBe(300)
    const away = cluster.hub.sent.filter(({ message }) => (message as BatchMessage).type === 'batch')
    expect(sumOf(batchSizes.counts)).toBeGreaterThan(away.length)
    expect(a.jobs.stats().chunks.completed + b.jobs.stats().chunks.completed).toBe(300)
    expect(a.jobs.stats()).toMatchObject({ leading: undefined, led: { folded: 0, dispatched: 0 } })
    expect(sumOf(a.jobs.stats().batchSizes.counts)).toBe(0)
  })

  it('a peer keeps the counts of its leadership while another peer leads, and increases these counts when the peer leads again', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    for (const [leader, folded] of [
      [b, 40],
      [a, 40],
      [b, 80]
    ] as const) {
      cluster.elect(leader)
      expect(await (await a.jobs.submit<number>(parts(40))).result()).toBe(expected(40))
      expect(leader.jobs.stats().led).toMatchObject({ folded, dispatched: folded })
      expect(leader.jobs.stats().leading).toBeDefined()
    }
    expect(a.jobs.stats()).toMatchObject({ leading: undefined, led: { folded: 40 } })
    expect(b.jobs.stats().batchSizes.sum).toBe(80)
  })

  it('the counts of a leader contain the running chunks, the waiting chunks and the age of unreplicated folds', async () => {
    const gate = pDefer<void>()
    const run = async (chunk: number): Promise<number> => {
      if (chunk >= 10) await gate.promise
      return chunk * chunk
    }
    const [a, b] = start([1, 1], { run }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit<number>(parts(40))
    await expect.poll(() => b.jobs.stats().led.folded).toBe(10)
    const { leading, busy } = b.jobs.stats()
    expect(leading).toMatchObject({ jobs: 1, unserved: 0, unfolded: 0 })
    expect(leading!.ready + leading!.dispatched).toBe(30)
    expect(leading!.dispatched).toBeGreaterThanOrEqual(2)
    expect(busy).toBe(1)
    // The other peer stores all folded partials, so the age of unreplicated folds is 0.
    await expect.poll(() => b.jobs.stats().leading?.checkpointAge).toBe(0)
    gate.resolve()
    expect(await job.result()).toBe(expected(40))
    expect(b.jobs.stats().leading).toMatchObject({ jobs: 0, checkpointAge: undefined })
  })

  it('the counts of a leader exclude a job that has ended, even while the outcome of that job is not replicated', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    cluster.elect(b)
    const gate = pDefer<void>()
    const { handler } = a.network.protocols.get('journal')!
    const { onMessage } = handler
    const job = await a.jobs.submit<number>(parts(40))
    handler.onMessage = async (message, channel) => {
      await gate.promise
      await onMessage.call(handler, message, channel)
    }
    await expect.poll(() => b.jobs.stats().leading).toMatchObject({ jobs: 0, checkpointAge: undefined })
    expect(job.progress.state).not.toBe('completed')
    gate.resolve()
    expect(await job.result()).toBe(expected(40))
  })

  it('the counts of a leader include the chunks requeued after the death of a worker, and a job that no peer can compute', async () => {
    const [a, b, c] = start([1, 1, 1]) as [FakePeer, FakePeer, FakePeer]
    const stuck = new FakeRunner(1, { run: never })
    const d = cluster.add(stuck)
    cluster.elect(c)
    const job = await a.jobs.submit<number>(parts(30))
    await expect.poll(() => stuck.started.length).toBeGreaterThan(0)
    cluster.kill(d)
    expect(await job.result()).toBe(expected(30))
    const { retried, folded, dispatched } = c.jobs.stats().led
    expect(retried).toBeGreaterThan(0)
    expect([folded, dispatched]).toEqual([30, 30 + retried])
    const waits = await b.jobs.submit(parts(3), { requires: { gpu: 'yes' } })
    await expect.poll(() => c.jobs.stats().leading).toMatchObject({ jobs: 1, unserved: 1, ready: 3 })
    await waits.cancel()
    await expect.poll(() => c.jobs.stats().leading).toMatchObject({ jobs: 0, unserved: 0, ready: 0 })
  })
})

describe('the log of a leader', () => {
  it('the log of the next leader reports how many chunks of a resumed job were already folded', async () => {
    const gate = pDefer<void>()
    const run = async (chunk: number): Promise<number> => {
      if (chunk >= 10) await gate.promise
      return chunk * chunk
    }
    const [a, b, c] = start([1, 1, 1], { run }) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit<number>(parts(40), { id: 'j' })
    await expect.poll(() => c.jobs.stats()).toMatchObject({ led: { folded: 10 }, leading: { checkpointAge: 0 } })
    cluster.kill(c)
    cluster.elect(b)
    gate.resolve()
    await job.result()
    const of = ({ logged }: FakePeer, state: string): unknown =>
      logged.find(line => 'state' in line && line.state === state)
    expect(of(c, 'accepted')).toMatchObject({ event: 'job', jobId: 'j', task: 'squares' })
    expect(of(b, 'resumed')).toMatchObject({ event: 'job', jobId: 'j', task: 'squares', folded: 10 })
  })
})
