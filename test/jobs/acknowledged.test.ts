import { afterEach, describe, expect, it, vi } from 'vitest'
import type { JournalMessage } from '../../src/jobs/journal/messages.ts'
import type { SubmitMessage } from '../../src/jobs/submit-messages.ts'
import type { ProtocolHandler } from '../../src/network/types.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, type FakeRunner } from './fake-runner.ts'
import { addPeers, gated, parts, until } from './squares.ts'

let cluster: FakeCluster
let runners: FakeRunner[]

afterEach(async () => {
  vi.useRealTimers()
  await cluster.stop()
  expect(runners.map(({ openDrivers }) => openDrivers)).toEqual(runners.map(() => 0))
})

/** The last of the peers leads as soon as it is elected: the two before it are its standbys. */
function start(count: number, task = {}): FakePeer[] {
  cluster = new FakeCluster()
  runners = addPeers(cluster, count, task)
  return cluster.peers
}

/** The peer answers nothing that is said to its journal, until the answer is called. */
function silence(peer: FakePeer, isMeant: (message: JournalMessage) => boolean = () => true): () => void {
  const handler = peer.network.protocols.get('journal')!.handler as ProtocolHandler<JournalMessage>
  const { onMessage } = handler
  const waiting: (() => unknown)[] = []
  handler.onMessage = (message, channel) => {
    if (isMeant(message)) waiting.push(() => onMessage(message, channel))
    else return onMessage(message, channel)
    return undefined
  }
  return () => {
    handler.onMessage = onMessage
    for (const answer of waiting) answer()
  }
}

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

/** Who has said that it holds something. */
function holders(): Set<string> {
  const held = cluster.hub.sent.filter(({ message }) => (message as JournalMessage).type === 'held')
  return new Set(held.map(({ from }) => from))
}

/** The leader has the job: its content is read in a thread, which the time that a test moves on does not wait for. */
async function submitted(): Promise<void> {
  while (!cluster.hub.sent.some(({ message }) => (message as SubmitMessage).type === 'submit'))
    await vi.advanceTimersByTimeAsync(1)
}

/** Submits a job of 9 chunks; says whether it has been acknowledged. */
function submit(peer: FakePeer, signal?: AbortSignal) {
  const submitted = { isAcknowledged: false, job: peer.jobs.submit<number>(parts(9), { id: 'night', signal }) }
  submitted.job.then(
    () => {
      submitted.isAcknowledged = true
    },
    () => {}
  )
  return submitted
}

describe('a job that is submitted', () => {
  it('is not acknowledged while one of the two others that are live is silent, however long that takes', async () => {
    const [a, b, c] = start(3) as [FakePeer, FakePeer, FakePeer]
    fakeTimers()
    const answer = silence(b)
    cluster.elect(c)
    const night = submit(a)
    await submitted()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(holders()).toEqual(new Set([a.id]))
    expect(night.isAcknowledged).toBe(false)
    answer()
    await vi.advanceTimersByTimeAsync(10)
    expect(await (await night.job).result()).toBe(expected(9))
    expect(holders()).toEqual(new Set([a.id, b.id]))
  })

  it('is acknowledged when the silent one is known to be dead, and the other holds it', async () => {
    const [a, b, c] = start(3) as [FakePeer, FakePeer, FakePeer]
    fakeTimers()
    silence(b)
    cluster.elect(c)
    const night = submit(a)
    await submitted()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(night.isAcknowledged).toBe(false)
    cluster.kill(b)
    expect(await (await night.job).result()).toBe(expected(9))
  })

  it('is held by another live peer in the place of one that is silent', async () => {
    const [a, b, c, d] = start(4) as [FakePeer, FakePeer, FakePeer, FakePeer]
    fakeTimers()
    silence(c, message => message.type === 'put')
    cluster.elect(d)
    const night = submit(a)
    await submitted()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await (await night.job).result()).toBe(expected(9))
    expect(holders()).toEqual(new Set([a.id, b.id]))
  })

  it('need not be waited for: its signal ends that, and then it does not run', async () => {
    const [a, b, c] = start(3) as [FakePeer, FakePeer, FakePeer]
    fakeTimers()
    const answers = [a, b].map(peer => silence(peer))
    cluster.elect(c)
    const controller = new AbortController()
    const night = submit(a, controller.signal)
    await submitted()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(night.isAcknowledged).toBe(false)
    controller.abort(new Error('that is long enough'))
    await expect(night.job).rejects.toThrow('that is long enough')
    for (const answer of answers) answer()
    await vi.advanceTimersByTimeAsync(20_000)
    await expect((await c.jobs.attach('night')).result()).rejects.toThrow('was cancelled')
    expect(runners.flatMap(({ started }) => started)).toEqual([])
  })
})

describe('a job that goes on under the next leader', () => {
  it('is not acknowledged by that one before two others hold it', async () => {
    const { task, open } = gated()
    const [a, b, c, d] = start(4, task) as [FakePeer, FakePeer, FakePeer, FakePeer]
    cluster.elect(d)
    const first = await (await submit(a)).job
    const answer = silence(b, message => message.type === 'put')
    cluster.kill(d)
    cluster.elect(c)
    const second = submit(b)
    await until(() => runners[0]!.running + runners[1]!.running + runners[2]!.running > 0)
    for (let i = 0; i < 100; i++) await new Promise(resolve => setImmediate(resolve))
    expect(second.isAcknowledged).toBe(false)
    answer()
    await second.job
    open()
    expect(await first.result()).toBe(expected(9))
  })
})
