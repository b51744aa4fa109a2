import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Limits } from '../../src/common/limits.ts'
import type { SubmitMessage } from '../../src/jobs/protocol/submit-messages.ts'
import type { WorkMessage } from '../../src/jobs/protocol/work-messages.ts'
import type { JournalMessage } from '../../src/journal/messages.ts'
import type { ProtocolHandler } from '../../src/network/types.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, FakeRunner } from './fake-runner.ts'
import { addPeers, gated, parts, until } from './squares.ts'

let cluster: FakeCluster
let runners: FakeRunner[]

afterEach(async () => {
  vi.useRealTimers()
  await cluster.stop()
  expect(runners.map(({ openDrivers }) => openDrivers)).toEqual(runners.map(() => 0))
})

/** Adds peers. The test elects the last peer as the leader. The two peers before the last peer are the standbys. */
function start(count: number, task = {}): FakePeer[] {
  cluster = new FakeCluster()
  runners = addPeers(cluster, count, task)
  return cluster.peers
}

/** Holds back the messages to a peer's journal until the returned function is called. */
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

/** Waits 100 turns of the event loop. In this time the peers receive all sent messages and answer them. */
async function turns(): Promise<void> {
  for (let i = 0; i < 100; i++) await new Promise(resolve => setImmediate(resolve))
}

/** Returns the ids of the peers that have confirmed that they store a journal entry. */
function holders(): Set<string> {
  const held = cluster.hub.sent.filter(({ message }) => (message as JournalMessage).type === 'held')
  return new Set(held.map(({ from }) => from))
}

/** Resolves when the client has sent the job to the leader. A real thread reads the content of the job, so one step of fake time is not enough. */
async function submitted(): Promise<void> {
  while (!cluster.hub.sent.some(({ message }) => (message as SubmitMessage).type === 'submit'))
    await vi.advanceTimersByTimeAsync(1)
}

/** Submits a job of 9 chunks. `isAcknowledged` becomes true when the leader has acknowledged the job. */
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
  it('the leader does not acknowledge a job while one of the two other live peers does not answer, even after a minute', async () => {
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

  it('when the peer that does not answer is known to be dead, the leader acknowledges a job that the only other peer stores', async () => {
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

  it('when a standby does not confirm a job, the leader stores the job at another live peer', async () => {
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

  it('when the signal of a submission aborts before the acknowledgement, the job is cancelled and no chunk runs', async () => {
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

describe('the next leader with an outcome that is not replicated yet', () => {
  const messages = (type: SubmitMessage['type'], to: FakePeer): unknown[] =>
    cluster.hub.sent.filter(sent => sent.to === to.id && (sent.message as SubmitMessage).type === type)
  const channelOf = (peer: FakePeer) =>
    [...cluster.hub.channels].find(({ owner, spec }) => owner === peer.id && spec.name === 'submit')!

  /** A job of `a` has ended, and the leader of that job has died. `a` and `b` do not confirm the outcome to the next leader until `answer` is called. */
  async function taken(limits: Partial<Limits> = {}) {
    cluster = new FakeCluster()
    runners = Array.from({ length: 4 }, () => new FakeRunner(1))
    const peers = runners.map(runner => cluster.add(runner, {}, limits))
    const [a, b, c, d] = peers as [FakePeer, FakePeer, FakePeer, FakePeer]
    cluster.elect(d)
    await (await (await submit(a)).job).result()
    const answers = [a, b].map(peer => silence(peer, message => message.type === 'put'))
    cluster.kill(d)
    cluster.elect(c)
    // The leader answers that it knows no job only after it has read the journals of all other peers.
    await expect(a.jobs.attach('another')).rejects.toThrow('knows no job')
    return {
      a,
      b,
      leader: c,
      answer: () => {
        for (const each of answers) each()
      }
    }
  }

  it('the next leader delivers an unreplicated outcome to a client exactly one time, although the client asks 100 times', async () => {
    const { a, answer } = await taken()
    const before = messages('completed', a).length
    const channel = channelOf(a)
    for (let i = 0; i < 100; i++) await channel.send({ job: 'night', type: 'watch', seen: 0, got: 0 })
    expect(messages('completed', a)).toHaveLength(before)
    answer()
    await until(() => messages('completed', a).length > before)
    await turns()
    expect(messages('completed', a)).toHaveLength(before + 1)
  })

  it('while an outcome is not replicated, the leader keeps at most the allowed number of requests, and drops the request of a client that is gone', async () => {
    const { a, b, leader, answer } = await taken({ waitingRequests: 1 })
    const watch = { job: 'night', type: 'watch', seen: 0, got: 0 } as const
    await channelOf(a).send(watch)
    const attached = b.jobs.attach<number>('night')
    await until(() => messages('not-leader', b).length > 0)
    expect(leader.network.refusals.counts().rate).toBeGreaterThan(0)
    channelOf(a).abort(new Error('it is gone'))
    // The client asks again until the leader keeps its request.
    const kept = (): number =>
      cluster.hub.sent.filter(({ from, message }) => from === b.id && (message as SubmitMessage).type === 'watch')
        .length - messages('not-leader', b).length
    await vi.waitFor(async () => {
      await turns()
      expect(kept()).toBe(1)
    }, 60_000)
    answer()
    expect(await (await attached).result()).toBe(expected(9))
  })
})

describe('a job that has ended and whose outcome is not replicated yet', () => {
  it('until the outcome of a job is replicated, the leader lets the workers keep their partials, even when a worker reconnects', async () => {
    const [a, b, c] = start(3) as [FakePeer, FakePeer, FakePeer]
    const hasEnd = (message: JournalMessage): boolean => message.type === 'put' && message.entries[0]?.end !== undefined
    const answers = [a, b].map(peer => silence(peer, hasEnd))
    cluster.elect(c)
    const job = await (await submit(b)).job
    const said = (from: FakePeer, to: FakePeer, ...types: WorkMessage['type'][]): number =>
      cluster.hub.sent.filter(sent => {
        return sent.from === from.id && sent.to === to.id && types.includes((sent.message as WorkMessage).type)
      }).length
    const takenFromA = (): number => said(c, a, 'release', 'cancel-chunks')
    await until(() => cluster.hub.sent.some(({ message }) => hasEnd(message as JournalMessage)))
    const taken = takenFromA()
    for (let times = 0; times < 3; times++) {
      const [hellos, offers] = [said(a, c, 'hello'), said(a, c, 'in-flight')]
      cluster.hub.disconnect(a.id, c.id)
      await until(() => said(a, c, 'hello') > hellos)
      expect(said(a, c, 'in-flight')).toBeGreaterThan(offers)
      await turns()
    }
    expect(takenFromA()).toBe(taken)
    for (const answer of answers) answer()
    expect(await job.result()).toBe(expected(9))
    await until(() => takenFromA() > taken)
    await turns()
    // The leader sends one message to all workers, and one message that answers the chunks that `a` offered during the wait.
    expect(takenFromA()).toBeLessThanOrEqual(taken + 2)
  })
})

describe('a job that goes on under the next leader', () => {
  it('the next leader does not acknowledge a resumed job before two other peers store the job', async () => {
    const { task, open } = gated()
    const [a, b, c, d] = start(4, task) as [FakePeer, FakePeer, FakePeer, FakePeer]
    cluster.elect(d)
    const first = await (await submit(a)).job
    const answer = silence(b, message => message.type === 'put')
    cluster.kill(d)
    cluster.elect(c)
    const second = submit(b)
    await until(() => runners[0]!.running + runners[1]!.running + runners[2]!.running > 0)
    await turns()
    expect(second.isAcknowledged).toBe(false)
    answer()
    await second.job
    open()
    expect(await first.result()).toBe(expected(9))
  })
})
