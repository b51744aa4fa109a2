import { afterEach, describe, expect, it } from 'vitest'
import type { WorkMessage } from '../../../src/jobs/protocol/work-messages.ts'
import { FakeCluster, type FakePeer } from '../fake-cluster.ts'
import { FakeRunner } from '../fake-runner.ts'
import { parts, until } from '../squares.ts'

let cluster: FakeCluster

afterEach(() => cluster.stop())

const hasHeard = (peer: FakePeer, from: FakePeer, type: string): boolean =>
  cluster.hub.sent.some(sent => {
    return sent.from === from.id && sent.to === peer.id && (sent.message as { type: string }).type === type
  })

describe('a worker that leaves while the next leader begins', () => {
  it('a leaving worker may go at once when the next leader resumes after all its chunks', async () => {
    cluster = new FakeCluster()
    const worker = cluster.add(new FakeRunner(1))
    // Only the first pull brings chunks; the others bring none before the end of the test.
    let pulls = 0
    const split = (): Promise<void> => (++pulls === 1 ? Promise.resolve() : new Promise(() => {}))
    const next = cluster.add(new FakeRunner(1, { split }), { role: 'leader' })
    const leader = cluster.add(new FakeRunner(1, { split }), { role: 'leader' })
    // The worker misses every `covered`, and the next leader reads the worker's journal late.
    const work = worker.network.protocols.get('work')!.handler
    const { onMessage: onWork } = work
    work.onMessage = (message, channel) => {
      if ((message as WorkMessage).type !== 'covered') return onWork(message, channel)
    }
    let read = (): void => {}
    const isRead = new Promise<void>(resolve => {
      read = resolve
    })
    const journal = next.network.protocols.get('journal')!.handler
    const { onMessage: onJournal } = journal
    journal.onMessage = async (message, channel) => {
      if (channel.remote === worker.id) await isRead
      await onJournal(message, channel)
    }

    cluster.elect(leader)
    const job = await next.jobs.submit(parts(100), { detach: true })
    await until(() => hasHeard(worker, leader, 'covered') && job.progress.done === 16)
    cluster.kill(leader)
    const begun = performance.now()
    const left = worker.jobs.leave(async () => {})
    cluster.elect(next)
    await until(() => hasHeard(next, worker, 'hello'))
    read()
    await left
    expect(performance.now() - begun).toBeLessThan(4_000)
  })
})
