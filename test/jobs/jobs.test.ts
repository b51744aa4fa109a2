import { once } from 'node:events'
import pDefer from 'p-defer'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  InvalidOptionError,
  JobCancelledError,
  JobFailedError,
  P2pWorkerError,
  StoppedError
} from '../../src/common/errors.ts'
import type { BatchMessage } from '../../src/jobs/protocol/work-messages.ts'
import { JournalReplica } from '../../src/journal/core/replica.ts'
import type { JournalMessage } from '../../src/journal/messages.ts'
import type { JobRecord } from '../../src/journal/record.ts'
import { packIndexed } from '../../src/tasks/values/pack.ts'
import { encode } from '../../src/tasks/values/payload.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, FakeRunner, type FakeTask } from './fake-runner.ts'
import { code, movingOn, never, parts, until } from './squares.ts'

let cluster: FakeCluster
let runners: FakeRunner[]

function start(slots: number[], task: FakeTask = {}): FakePeer[] {
  cluster = new FakeCluster()
  runners = slots.map(count => new FakeRunner(count, task))
  return runners.map(runner => cluster.add(runner))
}

const typeOf = (message: unknown): string => (message as { type: string }).type

const said = (from: FakePeer, type: string): boolean =>
  cluster.hub.sent.some(sent => sent.from === from.id && typeOf(sent.message) === type)

/** Returns the chunks that were started more than once. */
function startedTwice(): number[] {
  const all = runners.flatMap(({ started }) => started)
  return all.filter((index, i) => all.indexOf(index) !== i)
}

/** Returns the position of the newest checkpoint that was sent to the journal of `peer`. The cluster has a single job. */
function heldBy(peer: FakePeer): number {
  let next = 0
  for (const { to, protocol, message } of cluster.hub.sent) {
    if (to !== peer.id || protocol !== 'journal') continue
    const said = message as JournalMessage
    const checkpoint =
      said.type === 'put'
        ? (said.entries[0]!.record as JobRecord).checkpoint
        : said.type === 'update'
          ? said.checkpoint
          : undefined
    next = Math.max(next, checkpoint?.next ?? 0)
  }
  return next
}

afterEach(async () => {
  await cluster.stop()
  expect(runners.map(({ openDrivers }) => openDrivers)).toEqual(runners.map(() => 0))
})

describe('the jobs of a cluster', () => {
  it('a cluster computes a job on all its peers, and runs each chunk once', async () => {
    const [a, b, c] = start([2, 2, 2]) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit<number>(parts(500))
    expect(await job.result()).toBe(expected(500))
    expect(job.progress).toMatchObject({ state: 'completed', done: 500, total: 500 })
    expect(job.stats).toMatchObject({ chunks: 500, retries: 0, recomputed: 0, speculated: 0 })
    expect(Object.keys(job.stats!.perPeer).sort()).toEqual([a.id, b.id, c.id])
    expect(Object.values(job.stats!.perPeer).reduce((sum, count) => sum + count)).toBe(500)
    for (const runner of runners) expect(runner.mostRunning).toBeLessThanOrEqual(2)
  })

  it('a leader computes a job alone if there is no other peer', async () => {
    const [a] = start([1]) as [FakePeer]
    cluster.elect(a)
    expect(await (await a.jobs.submit<number>(parts(20))).result()).toBe(expected(20))
  })

  it('a cluster completes a job that has no chunks', async () => {
    const [a] = start([1]) as [FakePeer]
    cluster.elect(a)
    expect(await (await a.jobs.submit<number>(parts(0))).result()).toBe(0)
  })

  it('the leader computes no chunk if the other peers have enough slots', async () => {
    const [a, , c] = start([16, 16, 2]) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    await (await a.jobs.submit(parts(300))).result()
    expect(runners[2]!.started).toEqual([])
  })

  it('the leader gives the chunks of a dead worker to other workers', async () => {
    const [a, b, c] = start([1, 1, 1]) as [FakePeer, FakePeer, FakePeer]
    runners[0]!.task = { run: never }
    cluster.elect(c)
    const job = await b.jobs.submit<number>(parts(50))
    await until(() => runners[0]!.started.length > 0)
    cluster.kill(a)
    expect(await job.result()).toBe(expected(50))
    expect(job.stats!.retries).toBeGreaterThan(0)
    expect(job.stats!.perPeer[a.id]).toBeUndefined()
  })

  it('a job completes although the channel to a worker breaks', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    cluster.elect(b)
    let broken = false
    runners[0]!.onStart = index => {
      if (index < 20 || broken) return
      broken = true
      cluster.hub.disconnect(a.id, b.id)
    }
    const job = await b.jobs.submit<number>(parts(200))
    expect(await job.result()).toBe(expected(200))
    expect(broken).toBe(true)
  })

  it('when the leader dies, the next leader resumes the job after the replicated checkpoint', async () => {
    const gate = pDefer<void>()
    const run = async (chunk: number): Promise<number> => {
      if (chunk >= 100) await gate.promise
      return chunk * chunk
    }
    const [a, b, c] = start([1, 1, 1], { run }) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit<number>(parts(300))
    await until(() => heldBy(b) >= 100)
    const started = runners.map(runner => runner.started.length)
    cluster.kill(c)
    cluster.elect(b)
    gate.resolve()
    expect(await job.result()).toBe(expected(300))
    expect(job.stats).toMatchObject({ chunks: 300, recomputed: 0 })
    expect(Object.values(job.stats!.perPeer).reduce((sum, count) => sum + count)).toBe(300)
    expect(job.stats!.perPeer[c.id], 'what it had computed is not lost').toBeGreaterThan(0)
    const again = runners.flatMap((runner, i) => runner.started.slice(started[i])).filter(index => index < 100)
    expect(again).toEqual([])
  })

  it('when the first leader and then the second leader die, the second leader and then the third leader resume the job', async () => {
    let limit = 100
    const waiting: (() => void)[] = []
    const run = async (chunk: number): Promise<number> => {
      while (chunk >= limit) await new Promise<void>(resolve => waiting.push(resolve))
      return chunk * chunk
    }
    const [a, b, c, d] = start([1, 1, 1, 1], { run }) as [FakePeer, FakePeer, FakePeer, FakePeer]
    cluster.elect(d)
    const job = await a.jobs.submit<number>(parts(300))
    await until(() => heldBy(b) >= 100)
    cluster.kill(d)
    cluster.elect(c)
    limit = 200
    for (const go of waiting.splice(0)) go()
    await until(() => heldBy(b) >= 200)
    cluster.kill(c)
    cluster.elect(b)
    limit = 300
    for (const go of waiting.splice(0)) go()
    expect(await job.result()).toBe(expected(300))
    expect(job.stats).toMatchObject({ chunks: 300, recomputed: 0 })
  })

  it('the next leader completes a job whose leader and client have died', async () => {
    let blocked = true
    const run = async (chunk: number): Promise<number> => (blocked ? never() : chunk * chunk)
    const [a, b, c, d] = start([1, 1, 1, 1], { run }) as [FakePeer, FakePeer, FakePeer, FakePeer]
    cluster.elect(d)
    await a.jobs.submit<number>(parts(30), { id: 'night' })
    const states: string[] = []
    c.jobs.addEventListener('job', ({ detail }) => states.push(detail.state))
    cluster.kill(a)
    cluster.kill(d)
    blocked = false
    cluster.elect(c)
    await until(() => states.includes('completed'))
    expect(states).toEqual(['resumed', 'running', 'completed'])
    expect(await (await b.jobs.submit<number>(parts(30), { id: 'night' })).result()).toBe(expected(30))
    expect(states.length).toBe(3)
  })

  it('the leader acknowledges a job only after two other peers store the job', async () => {
    const [a, b, c, d] = start([1, 1, 1, 1]) as [FakePeer, FakePeer, FakePeer, FakePeer]
    // The first standby answers `read`, but not the messages that ask it to store an entry.
    let open = (): void => {}
    const gate = new Promise<void>(resolve => {
      open = resolve
    })
    const { handler } = c.network.protocols.get('journal')!
    const { onMessage } = handler
    handler.onMessage = async (message, channel) => {
      if ((message as JournalMessage).type === 'put') await gate
      await onMessage(message, channel)
    }
    cluster.elect(d)
    let accepted = false
    const submitted = a.jobs.submit<number>(parts(30)).then(job => {
      accepted = true
      return job
    })
    await until(() => said(b, 'held'))
    for (let i = 0; i < 100; i++) await new Promise(resolve => setImmediate(resolve))
    expect(said(c, 'heads')).toBe(true)
    expect(accepted).toBe(false)
    open()
    expect(await (await submitted).result()).toBe(expected(30))
    expect(said(c, 'held')).toBe(true)
  })

  /** Starts two sides of a partition. On one side d leads a and b. On the other side c is alone and leads itself. */
  function startApart(task: FakeTask = {}): [FakePeer, FakePeer, FakePeer, FakePeer] {
    const peers = start([1, 1, 1, 1], task) as [FakePeer, FakePeer, FakePeer, FakePeer]
    const [a, b, c, d] = peers
    for (const one of [a, b, d]) {
      one.membership.set({ ...c.membership.self, state: 'dead' })
      c.membership.set({ ...one.membership.self, state: 'dead' })
    }
    c.election.set({ id: c.id, epoch: 1, rank: { priority: 0, id: c.id } })
    for (const { election } of [a, b, d]) election.set({ id: d.id, epoch: 2, rank: { priority: 0, id: d.id } })
    return peers
  }

  /** Ends the partition. Then c follows d, as a and b do. */
  function heal([a, b, c, d]: [FakePeer, FakePeer, FakePeer, FakePeer]): void {
    c.election.set({ id: d.id, epoch: 2, rank: { priority: 0, id: d.id } })
    for (const one of [a, b, d]) {
      c.membership.set({ ...one.membership.self, state: 'alive' })
      one.membership.set({ ...c.membership.self, state: 'alive' })
    }
  }

  it('after a partition, a submission that one side has not acknowledged gets the result that the other side has computed under the same id', async () => {
    const peers = startApart()
    const [a, b, c, d] = peers
    await (await c.jobs.submit<number>(parts(30), { id: 'night' })).result()
    const { handler } = b.network.protocols.get('journal')!
    const { onMessage } = handler
    handler.onMessage = async (message, channel) => {
      if ((message as JournalMessage).type !== 'put') await onMessage(message, channel)
    }
    const submitted = a.jobs.submit<number>(parts(30), { id: 'night' })
    await until(() =>
      cluster.hub.sent.some(({ to, message }) => to === b.id && (message as JournalMessage).type === 'put')
    )
    heal(peers)
    expect(await (await submitted).result()).toBe(expected(30))
    expect(runners[3]!.started).toEqual([])
    expect(d.election.isLeader).toBe(true)
  })

  it('after a partition, a job that was cancelled on one side is cancelled on the other side', async () => {
    const peers = startApart({ run: never })
    const [a, , c] = peers
    const job = await a.jobs.submit<number>(parts(30), { id: 'night' })
    await (await c.jobs.submit<number>(parts(30), { id: 'night' })).cancel()
    heal(peers)
    await expect(job.result()).rejects.toBeInstanceOf(JobCancelledError)
  })

  it('the next leader delivers the result of an ended job to a second client, and no chunk runs again', async () => {
    const [a, b, c] = start([1, 1, 1]) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    await (await c.jobs.submit<number>(parts(30), { id: 'night' })).result()
    const started = runners.flatMap(runner => runner.started).length
    cluster.kill(c)
    cluster.elect(b)
    expect(await (await a.jobs.submit<number>(parts(30), { id: 'night' })).result()).toBe(expected(30))
    expect(runners.flatMap(runner => runner.started).length).toBe(started)
  })

  it('a leader that has not read the earlier journals yet hands over without waiting for the journals', async () => {
    const gate = pDefer<void>()
    const run = (chunk: number): Promise<number> => gate.promise.then(() => chunk * chunk)
    const [a, b, c] = start([1, 1, 1], { run }) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    await a.jobs.submit<number>(parts(30), { id: 'long', detach: true })
    cluster.kill(c)
    // a and b were elected before they knew each other, so neither peer answers the `read` of the other peer.
    const leadership = (peer: FakePeer) => ({ id: peer.id, epoch: 2, rank: { priority: 0, id: peer.id } })
    a.election.set(leadership(a))
    b.election.set(leadership(b))
    await a.election.handOff!(b.id, AbortSignal.timeout(1_000))
    a.election.set(leadership(b))
    gate.resolve()
    expect(await (await a.jobs.attach<number>('long')).result()).toBe(expected(30))
  })

  it('a leader continues its jobs when a handover is aborted', async () => {
    const gate = pDefer<void>()
    const run = (chunk: number): Promise<number> => gate.promise.then(() => chunk * chunk)
    const [a, b] = start([1, 1], { run }) as [FakePeer, FakePeer]
    cluster.elect(a)
    const job = await b.jobs.submit<number>(parts(30))
    const controller = new AbortController()
    await a.election.handOff!(b.id, controller.signal)
    gate.resolve()
    controller.abort(new Error('it leads on'))
    expect(await job.result()).toBe(expected(30))
  })

  it('a leader that hands off stops driving its job, and the next leader runs no chunk again', async () => {
    const gate = pDefer<void>()
    const run = async (chunk: number): Promise<number> => {
      if (chunk >= 100) await gate.promise
      return chunk * chunk
    }
    const [a, b] = start([1, 1], { run }) as [FakePeer, FakePeer]
    cluster.elect(a)
    const job = await a.jobs.submit<number>(parts(300))
    while (job.progress.done < 100) await once(job as unknown as EventTarget, 'progress')
    await a.election.handOff!(b.id, new AbortController().signal)
    expect(runners[0]!.openDrivers).toBe(0)
    cluster.elect(b)
    gate.resolve()
    expect(await job.result()).toBe(expected(300))
    expect(job.stats).toMatchObject({ retries: 0, recomputed: 0 })
    expect(startedTwice()).toEqual([])
  })

  it('the next leader computes no chunk again that a worker has computed or is running', async () => {
    // The lowest chunk does not end before the leader dies, so no partial is folded and no checkpoint has a partial.
    const gates = [pDefer<void>(), pDefer<void>()]
    const run = async (chunk: number): Promise<number> => {
      if (chunk === 0) await gates[0]!.promise
      if (chunk >= 200) await gates[1]!.promise
      return chunk * chunk
    }
    const [a, b, c] = start([1, 1, 1], { run }) as [FakePeer, FakePeer, FakePeer]
    // The leader has the role `leader`, so only the two workers compute.
    for (const { membership } of [a, b, c]) membership.set({ ...c.membership.self, role: 'leader' })
    cluster.elect(c)
    const job = await a.jobs.submit<number>(parts(400))
    await until(() => runners.some(({ started }) => started.includes(200)))
    cluster.kill(c)
    cluster.elect(b)
    for (const gate of gates) gate.resolve()
    expect(await job.result()).toBe(expected(400))
    expect(runners[2]!.started).toEqual([])
    expect(startedTwice()).toEqual([])
    expect(job.stats).toMatchObject({ chunks: 400, retries: 0, recomputed: 0 })
  })

  it('a leaving worker completes its running chunks, and the leader gives the waiting chunks of that worker to other workers', async () => {
    const gate = pDefer<void>()
    const run = (chunk: number): Promise<number> => gate.promise.then(() => chunk * chunk)
    const [a, b] = start([1, 1], { run }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await b.jobs.submit<number>(parts(40))
    await until(() => runners.every(({ running }) => running === 1))
    let hasLeft = false
    const left = a.jobs
      .leave(async () => {})
      .then(() => {
        hasLeft = true
      })
    await until(() => said(a, 'leaving'))
    expect(hasLeft).toBe(false)
    gate.resolve()
    await left
    expect(runners[0]!.started).toHaveLength(1)
    b.membership.set({ ...a.membership.self, state: 'left' })
    expect(await job.result()).toBe(expected(40))
    expect(startedTwice()).toEqual([])
    expect(job.stats).toMatchObject({ retries: 0, perPeer: { [a.id]: 1 } })
  })

  it('a leaving leader completes its running chunks, and delivers their partials to the next leader', async () => {
    const gate = pDefer<void>()
    const run = (chunk: number): Promise<number> => gate.promise.then(() => chunk * chunk)
    const [a, b] = start([1, 1], { run }) as [FakePeer, FakePeer]
    cluster.elect(a)
    const job = await b.jobs.submit<number>(parts(40))
    await until(() => runners.every(({ running }) => running === 1))
    let hasLeft = false
    const left = a.jobs
      .leave(async () => {
        await a.election.handOff!(b.id, new AbortController().signal)
        cluster.elect(b)
      })
      .then(() => {
        hasLeft = true
      })
    // The next leader reattaches the running chunk, so the old leader must stay until that chunk ends.
    await until(() => said(b, 'reattach'))
    expect(hasLeft).toBe(false)
    gate.resolve()
    await left
    b.membership.set({ ...a.membership.self, state: 'left' })
    expect(await job.result()).toBe(expected(40))
    expect(startedTwice()).toEqual([])
    expect(job.stats).toMatchObject({ retries: 0, recomputed: 0 })
  })

  it('a leaving leader without running chunks delivers its retained partials to the next leader before it leaves', async () => {
    const gate = pDefer<void>()
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    // The first chunk at b does not end, so almost no partial is folded and almost no partial is in a checkpoint.
    const run = (chunk: number): Promise<number> => gate.promise.then(() => chunk * chunk)
    runners[1]!.task = { run }
    cluster.elect(a)
    const job = await b.jobs.submit<number>(parts(40), { speculate: false })
    await until(() => runners.flatMap(({ started }) => started).length >= 39 && runners[0]!.running === 0)
    expect(runners[1]!.running).toBe(1)
    let hasLeft = false
    const left = a.jobs
      .leave(async () => {
        await a.election.handOff!(b.id, new AbortController().signal)
        for (let i = 0; i < 100; i++) await new Promise(resolve => setImmediate(resolve))
        cluster.elect(b)
      })
      .then(() => {
        hasLeft = true
      })
    await until(() => said(b, 'reattach'))
    await left
    expect(hasLeft).toBe(true)
    b.membership.set({ ...a.membership.self, state: 'left' })
    gate.resolve()
    expect(await job.result()).toBe(expected(40))
    expect(startedTwice()).toEqual([])
  })

  it('a worker and a leader without running chunks can leave', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    cluster.elect(b)
    await a.jobs.leave(async () => {})
    await (await b.jobs.submit(parts(10))).result()
    await b.jobs.leave(async () => {})
  })

  it('the error of a failed job has the index of the chunk that threw', async () => {
    const run = async (chunk: number): Promise<number> => {
      if (chunk === 7) throw new RangeError('seven')
      return chunk
    }
    const [a, b] = start([1, 1], { run }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit(parts(20))
    const error = await job.result().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(JobFailedError)
    expect(error).toMatchObject({ jobId: job.id, function: 'run', index: 7 })
    expect((error as Error).message).toContain('seven')
    expect(job.progress.state).toBe('failed')
  })

  it('when a chunk throws at one peer, the leader retries the chunk at another peer', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    runners[0]!.task = {
      run: () => {
        throw new Error('this machine is broken')
      }
    }
    cluster.elect(b)
    const job = await b.jobs.submit<number>(parts(50), { retries: 1 })
    expect(await job.result()).toBe(expected(50))
    expect(job.stats!.retries).toBeGreaterThan(0)
    expect(a.id in job.stats!.perPeer).toBe(false)
  })

  it('only peers with the required tags compute a job, including a peer that gets the tags after an earlier job', async () => {
    cluster = new FakeCluster()
    runners = [1, 1, 1].map(slots => new FakeRunner(slots))
    const [a, b, c] = runners.map((runner, i) =>
      cluster.add(runner, { tags: i === 1 ? { gpu: 'a100' } : { gpu: 'none' } })
    ) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit<number>(parts(100), { requires: { gpu: 'a100' } })
    expect(await job.result()).toBe(expected(100))
    expect(Object.keys(job.stats!.perPeer)).toEqual([b.id])
    const changed = { ...a.membership.self, revision: 1, tags: { gpu: 'a100' } }
    for (const { membership } of [a, b, c]) membership.set(changed)
    const next = await a.jobs.submit<number>(parts(400), { requires: { gpu: 'a100' } })
    expect(await next.result()).toBe(expected(400))
    expect(Object.keys(next.stats!.perPeer).sort()).toEqual([a.id, b.id])
  })

  it('a job that no peer can compute is reported as unserved, and completes when a peer gets the required tags', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit<number>(parts(20), { requires: { gpu: 'a100' } })
    while (!job.progress.unserved) await once(job as unknown as EventTarget, 'progress')
    expect((await a.jobs.overview()).jobs).toMatchObject([{ jobId: job.id, state: 'accepted', unserved: true }])
    b.membership.set({ ...a.membership.self, revision: 1, tags: { gpu: 'a100' } })
    expect(await job.result()).toBe(expected(20))
    expect(job.progress.unserved).toBe(false)
  })

  it('a leader that leaves chunks to its workers computes a job itself if no other peer has the required tags', async () => {
    cluster = new FakeCluster()
    runners = [16, 2].map(slots => new FakeRunner(slots))
    const [a, b] = runners.map((runner, i) => cluster.add(runner, { tags: i === 1 ? { gpu: 'a100' } : {} })) as [
      FakePeer,
      FakePeer
    ]
    cluster.elect(b)
    await (await a.jobs.submit(parts(100))).result()
    expect(runners[1]!.started).toEqual([])
    const job = await a.jobs.submit<number>(parts(100), { requires: { gpu: 'a100' } })
    expect(await job.result()).toBe(expected(100))
    expect(Object.keys(job.stats!.perPeer)).toEqual([b.id])
  })

  it('the leader sends the chunk timeout of a job to every worker', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    cluster.elect(b)
    await (await a.jobs.submit(parts(50), { chunkTimeout: 1_500 })).result()
    expect(runners.map(({ chunkTimeouts }) => [...chunkTimeouts])).toEqual([[1_500], [1_500]])
    await (await a.jobs.submit(parts(51))).result()
    expect(runners.map(({ chunkTimeouts }) => [...chunkTimeouts])).toEqual([
      [1_500, undefined],
      [1_500, undefined]
    ])
  })

  it('the leader starts a slow chunk again at another peer, and cancels the first copy', async () => {
    const [a, b] = start([1, 2]) as [FakePeer, FakePeer]
    runners[0]!.task = { run: chunk => (chunk >= 20 ? never() : chunk * chunk) }
    cluster.elect(b)
    const job = await b.jobs.submit<number>(parts(60))
    expect(await job.result()).toBe(expected(60))
    expect(job.stats).toMatchObject({ chunks: 60, retries: 0 })
    expect(job.stats!.speculated).toBeGreaterThan(0)
    expect(job.progress.speculated).toBe(job.stats!.speculated)
    await until(() => runners[0]!.running === 0)
    const cancelled = cluster.hub.sent.some(({ to, message }) => to === a.id && typeOf(message) === 'cancel-chunks')
    expect(cancelled).toBe(true)
  })

  it('the leader starts no second copy of a slow chunk if the job was submitted with speculate: false', async () => {
    const [, b] = start([1, 2]) as [FakePeer, FakePeer]
    let release = (): void => {}
    const slow = new Promise<number>(resolve => {
      release = () => resolve(20 * 20)
    })
    runners[0]!.task = { run: chunk => (chunk >= 20 ? slow.then(() => chunk * chunk) : chunk * chunk) }
    cluster.elect(b)
    const job = await b.jobs.submit<number>(parts(60), { speculate: false })
    setTimeout(release, 2_000)
    expect(await job.result()).toBe(expected(60))
    expect(job.stats).toMatchObject({ chunks: 60, retries: 0, speculated: 0 })
  })

  it('a job fails if the split function of its task throws', async () => {
    const [a] = start([1]) as [FakePeer]
    cluster.elect(a)
    const job = await a.jobs.submit(parts(-1))
    await expect(job.result()).rejects.toMatchObject({ function: 'split', index: undefined })
  })

  it('cancelling a job stops its running chunks at every peer', async () => {
    const [a, b] = start([2, 2], { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit(parts(100))
    await until(() => runners.every(({ running }) => running === 2))
    await job.cancel()
    await expect(job.result()).rejects.toBeInstanceOf(JobCancelledError)
    await until(() => runners.every(({ running }) => running === 0))
    expect((await a.jobs.overview()).jobs).toMatchObject([{ jobId: job.id, state: 'cancelled' }])
  })

  it('a job is cancelled when the signal of its submission aborts', async () => {
    const [a, b] = start([1, 1], { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const controller = new AbortController()
    const job = await a.jobs.submit(parts(10), { signal: controller.signal })
    await until(() => runners[0]!.running === 1)
    controller.abort()
    await expect(job.result()).rejects.toBeInstanceOf(JobCancelledError)
    await until(() => runners.every(({ running }) => running === 0))
  })

  it('aborting the signal of result() ends the wait for the result, and does not cancel the job', async () => {
    const [a] = start([1], { run: never }) as [FakePeer]
    cluster.elect(a)
    const job = await a.jobs.submit(parts(10))
    await expect(job.result({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    expect(job.progress.state).not.toBe('cancelled')
  })

  it('a worker keeps its chunks running under the next leader until the job is cancelled', async () => {
    const [a, b, c] = start([1, 1, 1], { run: never }) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit(parts(100))
    await until(() => runners.every(({ running }) => running === 1))
    cluster.elect(b)
    await until(() => said(b, 'reattach'))
    expect(runners.map(({ started, running }) => [started.length, running])).toEqual(Array(3).fill([1, 1]))
    await job.cancel()
    await until(() => runners.every(({ running }) => running === 0))
  })

  it('an equal submission under the id of a running job joins the job, and a different submission is refused', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    cluster.elect(b)
    const first = await a.jobs.submit<number>(parts(400), { id: 'night' })
    const second = await b.jobs.submit<number>(parts(400), { id: 'night' })
    await expect(a.jobs.submit(parts(401), { id: 'night' })).rejects.toBeInstanceOf(P2pWorkerError)
    expect(await second.result()).toBe(expected(400))
    expect(await first.result()).toBe(expected(400))
    expect(new Set(runners.flatMap(({ started }) => started)).size).toBe(400)
    expect(runners.flatMap(({ started }) => started).length).toBe(400)
  })

  it('a submission with other content under the id of a running job is refused at the same peer and at another peer', async () => {
    let open = (): void => {}
    const gate = new Promise<void>(resolve => {
      open = resolve
    })
    const [a, b] = start([1, 1], { run: chunk => gate.then(() => chunk * chunk) }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const first = await a.jobs.submit<number>(parts(40), { id: 'night' })
    await expect(a.jobs.submit(parts(41), { id: 'night' })).rejects.toBeInstanceOf(InvalidOptionError)
    await expect(b.jobs.submit(parts(41), { id: 'night' })).rejects.toThrow(/refused/)
    open()
    expect(await first.result()).toBe(expected(40))
  })

  it('the journal record of an ended job does not contain the submission with the code and the input', async () => {
    const written = vi.spyOn(JournalReplica.prototype, 'write')
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    cluster.elect(b)
    await (await a.jobs.submit(parts(30))).result()
    const records = written.mock.calls.map(([{ record }]) => record as JobRecord)
    expect(
      records.map(({ submission, outcome }) => [submission && Buffer.from(submission.code), outcome?.type])
    ).toEqual([
      ...Array.from({ length: 2 }, () => [code, undefined]),
      ...Array.from({ length: 2 }, () => [undefined, 'completed'])
    ])
    written.mockRestore()
  })

  it('a job completes under a new leader whose epoch is lower than the epoch of the dead leader', async () => {
    let blocked = true
    const run = async (chunk: number): Promise<number> => (blocked ? never() : chunk * chunk)
    const [a, b, c] = start([1, 1, 1], { run }) as [FakePeer, FakePeer, FakePeer]
    // b was on the other side of a partition from the beginning.
    for (const one of [a, c]) {
      one.membership.set({ ...b.membership.self, state: 'dead' })
      b.membership.set({ ...one.membership.self, state: 'dead' })
    }
    for (let epoch = 1; epoch <= 3; epoch++) {
      for (const { election } of [a, c]) election.set({ id: c.id, epoch, rank: { priority: 0, id: c.id } })
    }
    const job = await a.jobs.submit<number>(parts(30))
    await until(() => runners[0]!.running === 1)
    blocked = false
    cluster.kill(c)
    for (const { election } of [a, b]) election.set({ id: b.id, epoch: 1, rank: { priority: 0, id: b.id } })
    expect(await job.result()).toBe(expected(30))
  })

  it('the leader delivers the result of an ended job to a client that submits the job again, and no chunk runs again', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    cluster.elect(b)
    await (await a.jobs.submit(parts(30), { id: 'done' })).result()
    const started = runners.flatMap(runner => runner.started).length
    expect(await (await a.jobs.submit<number>(parts(30), { id: 'done' })).result()).toBe(expected(30))
    expect(runners.flatMap(runner => runner.started).length).toBe(started)
  })

  it('a job completes under the same leader although the channel of its client breaks', async () => {
    let open = (): void => {}
    const gate = new Promise<void>(resolve => {
      open = resolve
    })
    const [a, b] = start([1, 1], { run: chunk => gate.then(() => chunk * chunk) }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit<number>(parts(30))
    await until(() => runners.every(({ running }) => running === 1))
    cluster.hub.disconnect(a.id, b.id)
    open()
    expect(await job.result()).toBe(expected(30))
    expect(job.stats!.recomputed).toBe(0)
  })

  it('a job is cancelled when its client has been gone for ten seconds', async () => {
    const [a, b] = start([1, 1], { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit(parts(30), { id: 'orphan' })
    const states: string[] = []
    b.jobs.addEventListener('job', ({ detail }) => states.push(detail.state))
    await until(() => runners[1]!.running === 1)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      cluster.kill(a)
      await vi.advanceTimersByTimeAsync(9_900)
      expect(runners[1]!.running).toBe(1)
      await vi.advanceTimersByTimeAsync(200)
      await until(() => runners[1]!.running === 0 && runners[1]!.openDrivers === 0)
    } finally {
      vi.useRealTimers()
    }
    expect(states.at(-1)).toBe('cancelled')
    expect(job.progress.state).not.toBe('cancelled')
  })

  it('an abandoned job starts over when its client returns', async () => {
    let blocked = true
    const run = async (chunk: number): Promise<number> => (blocked ? never() : chunk * chunk)
    const [a, b] = start([1, 1], { run }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit<number>(parts(30))
    const cancelled = new Promise<void>(resolve => {
      b.jobs.addEventListener('job', ({ detail }) => detail.state === 'cancelled' && resolve())
    })
    await until(() => runners[1]!.running === 1)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      a.network.down = true
      cluster.hub.disconnect(a.id, b.id)
      await vi.advanceTimersByTimeAsync(10_000)
      await cancelled
      blocked = false
      a.network.down = false
      // Now the leader and the client can open channels to each other again.
      expect(await movingOn(job.result())).toBe(expected(30))
    } finally {
      vi.useRealTimers()
    }
  })

  it('a job that two clients wait for continues when one of the clients stops', async () => {
    let open = (): void => {}
    const gate = new Promise<void>(resolve => {
      open = resolve
    })
    const [a, b, c] = start([1, 1, 1], { run: chunk => gate.then(() => chunk * chunk) }) as [
      FakePeer,
      FakePeer,
      FakePeer
    ]
    cluster.elect(c)
    const left = await a.jobs.submit<number>(parts(30), { id: 'shared' })
    const job = await b.jobs.submit<number>(parts(30), { id: 'shared' })
    await until(() => runners[1]!.running === 1)
    await a.jobs.stop()
    await expect(left.result()).rejects.toBeInstanceOf(StoppedError)
    const isLeave = ({ message }: { message: unknown }) => (message as { type: string }).type === 'leave'
    await until(() => cluster.hub.sent.some(isLeave))
    open()
    expect(await job.result()).toBe(expected(30))
  })

  it('the leader sends the code of a task one time to each worker, although three jobs use the code', async () => {
    const [a, b, c] = start([2, 2, 2]) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    for (let i = 0; i < 3; i++) await (await a.jobs.submit(parts(100 + i))).result()
    const codes = cluster.hub.sent.filter(({ message }) => (message as { type: string }).type === 'code')
    expect(codes.map(({ to }) => to).sort()).toEqual([a.id, b.id])
  })

  it('the leader gives the chunks of a dead worker to other workers, although the channel of the dead worker is still open', async () => {
    const [a, b, c] = start([1, 1, 1]) as [FakePeer, FakePeer, FakePeer]
    runners[0]!.task = { run: never }
    cluster.elect(c)
    const job = await b.jobs.submit<number>(parts(50))
    await until(() => runners[0]!.running === 1)
    for (const { membership } of [b, c]) membership.set({ ...a.membership.self, state: 'dead' })
    expect(await job.result()).toBe(expected(50))
  })

  it('a worker that returns after it was declared dead stops its old chunks, and gets chunks of the next job', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    runners[0]!.task = { run: never }
    cluster.elect(b)
    const job = await b.jobs.submit<number>(parts(50))
    await until(() => runners[0]!.running === 1)
    b.membership.set({ ...a.membership.self, state: 'dead' })
    expect(await job.result()).toBe(expected(50))
    expect(runners[0]!.running).toBe(1)
    runners[0]!.task = {}
    b.membership.set({ ...a.membership.self, state: 'alive', incarnation: 1 })
    await until(() => runners[0]!.running === 0)
    const next = await b.jobs.submit<number>(parts(200))
    expect(await next.result()).toBe(expected(200))
    expect(next.stats!.perPeer[a.id]).toBeGreaterThan(0)
  })

  it('the leader reattaches the chunk that a worker has computed while the worker was disconnected', async () => {
    const gate = pDefer<void>()
    const run = (chunk: number): Promise<number> => gate.promise.then(() => chunk * chunk)
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    runners[0]!.task = { run }
    runners[1]!.task = { run: never }
    cluster.elect(b)
    const job = await b.jobs.submit<number>(parts(2))
    await until(() => runners.every(({ running }) => running === 1))
    cluster.hub.disconnect(a.id, b.id)
    gate.resolve()
    runners[1]!.task = {}
    await until(
      () => job.progress.done === 1 || runners[0]!.started.length > 1 || job.stats !== undefined || said(b, 'reattach')
    )
    expect(runners[0]!.started).toHaveLength(1)
    await job.cancel()
  })

  it('a worker that reconnects stops the chunks of a job that was cancelled while the worker was disconnected', async () => {
    const [a, b] = start([1, 1], { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await b.jobs.submit(parts(10))
    await until(() => runners[0]!.running === 1)
    a.network.down = true
    cluster.hub.disconnect(a.id, b.id)
    await job.cancel()
    expect(runners[0]!.running).toBe(1)
    a.network.down = false
    await until(() => runners[0]!.running === 0)
  })

  it('the leader ignores outcomes that a worker sends with the epoch of an earlier leadership', async () => {
    let open = (): void => {}
    const gate = new Promise<void>(resolve => {
      open = resolve
    })
    const [a, b] = start([1, 1], { run: chunk => gate.then(() => chunk * chunk) }) as [FakePeer, FakePeer]
    cluster.elect(a)
    cluster.elect(b)
    const job = await b.jobs.submit<number>(parts(20))
    await until(() => runners[0]!.running === 1)
    const channel = [...cluster.hub.channels].find(({ owner, spec }) => owner === a.id && spec.name === 'work')!
    const partials = packIndexed(runners[0]!.started.map(index => ({ index, bytes: encode(999, 'partial') })))
    const { submissionId } = cluster.hub.sent.find(({ message }) => typeOf(message) === 'batch')!
      .message as BatchMessage
    const outcomes = { type: 'outcomes', job: job.id, partials, failed: [], busyMs: 1, submissionId }
    await channel.send({ epoch: 1, ...outcomes })
    open()
    expect(await job.result()).toBe(expected(20))
  })

  it('the client of a job gets each output line of the task, with the peer that printed the line', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit(parts(60))
    const lines: { peer: string; index: number | undefined; line: string }[] = []
    job.addEventListener('log', ({ detail }) => lines.push(detail))
    await job.result()
    expect(lines.map(({ line }) => line).sort()).toEqual(Array.from({ length: 60 }, (_, i) => `chunk ${i}`).sort())
    expect(new Set(lines.map(({ peer }) => peer))).toEqual(new Set([a.id, b.id]))
  })

  it('the leader emits the events of all jobs, and another peer emits only the events of its own submissions', async () => {
    const [a, b, c] = start([1, 1, 1]) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const told = [a, b, c].map(peer => {
      const states: string[] = []
      peer.jobs.addEventListener('job', ({ detail }) => states.push(detail.state))
      return states
    })
    await (await a.jobs.submit(parts(50))).result()
    expect(told).toEqual([['accepted', 'running', 'completed'], [], ['accepted', 'running', 'completed']])
  })

  it('the leader sends its overview to a peer that requests the overview', async () => {
    const [a, b] = start([2, 1], { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit(parts(100))
    await until(() => runners[0]!.running === 2 && runners[1]!.running === 1)
    const overview = await a.jobs.overview()
    expect(overview.jobs).toEqual([
      {
        jobId: job.id,
        task: 'squares',
        state: 'running',
        done: 0,
        total: undefined,
        unserved: false,
        age: expect.any(Number),
        durable: 0,
        durability: { memory: 2, disk: 0 }
      }
    ])
    expect(overview.busy).toEqual({ [a.id]: 2, [b.id]: 1 })
    await job.cancel()
  })

  it('a client that stops ends its jobs', async () => {
    const [a, b] = start([1, 1], { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit(parts(10))
    await a.jobs.stop()
    await expect(job.result()).rejects.toBeInstanceOf(StoppedError)
    await until(() => runners[1]!.openDrivers === 0)
  })

  it('a worker sends no hello to a leader that the worker has not accepted', async () => {
    const [a, b, c] = start([1, 1, 1]) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    cluster.elect(b)
    // c does not know b, and continues as the leader of an older epoch.
    c.election.set({ id: c.id, epoch: 1, rank: { priority: 0, id: c.id } })
    const saidUnder = (from: FakePeer, type: string, epoch: number) =>
      cluster.hub.sent.some(
        sent =>
          sent.from === from.id &&
          JSON.stringify(sent.message) === JSON.stringify({ epoch, type, slots: 1, leaving: false })
      )
    const welcomes = () =>
      cluster.hub.sent.filter(({ message }) => JSON.stringify(message) === '{"epoch":1,"type":"welcome"}')
    await until(() => welcomes().length >= 2 && saidUnder(a, 'hello', 2))
    expect(saidUnder(a, 'hello', 1)).toBe(false)
    expect(saidUnder(b, 'hello', 1)).toBe(false)
  })
})
