import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  InvalidOptionError,
  JobCancelledError,
  JobFailedError,
  P2pWorkerError,
  StoppedError
} from '../../src/errors.ts'
import { KeptOutcomes } from '../../src/jobs/kept-outcomes.ts'
import { encode } from '../../src/tasks/payload.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, FakeRunner, type FakeTask } from './fake-runner.ts'

const code = Buffer.from('export default {}')
const bundle = { code, sha256: createHash('sha256').update(code).digest('hex'), name: 'squares', folder: '/tasks' }

function parts(total: number) {
  return { bundle, input: encode(total, 'input') }
}

let cluster: FakeCluster
let runners: FakeRunner[]

function start(slots: number[], task: FakeTask = {}): FakePeer[] {
  cluster = new FakeCluster()
  runners = slots.map(count => new FakeRunner(count, task))
  return runners.map(runner => cluster.add(runner))
}

/** A chunk that does not end by itself. */
const never = (): Promise<number> => new Promise(() => {})

/** Resolves once `condition` holds; looked at whenever something is sent or started. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setImmediate(resolve))
}

afterEach(async () => {
  await cluster.stop()
  expect(runners.map(({ openDrivers }) => openDrivers)).toEqual(runners.map(() => 0))
})

describe('the jobs of a cluster', () => {
  it('computes a job on all its peers, in chunk order', async () => {
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

  it('computes on the leader alone when there is nobody else', async () => {
    const [a] = start([1]) as [FakePeer]
    cluster.elect(a)
    expect(await (await a.jobs.submit<number>(parts(20))).result()).toBe(expected(20))
  })

  it('ends a job without chunks', async () => {
    const [a] = start([1]) as [FakePeer]
    cluster.elect(a)
    expect(await (await a.jobs.submit<number>(parts(0))).result()).toBe(0)
  })

  it('leaves the leader out of the work when the others have enough slots', async () => {
    const [a, , c] = start([16, 16, 2]) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    await (await a.jobs.submit(parts(300))).result()
    expect(runners[2]!.started).toEqual([])
  })

  it('gives the chunks of a worker that died to others', async () => {
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

  it('goes on when a channel to a worker breaks and comes back', async () => {
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

  it('hands the job to the next leader when the leader dies, and says what was computed again', async () => {
    let blocked = true
    const run = async (chunk: number): Promise<number> => (blocked && chunk >= 100 ? never() : chunk * chunk)
    const [a, b, c] = start([1, 1, 1], { run }) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit<number>(parts(300))
    while (job.progress.done < 100) await once(job as unknown as EventTarget, 'progress')
    blocked = false
    cluster.kill(c)
    cluster.elect(b)
    expect(await job.result()).toBe(expected(300))
    expect(job.stats).toMatchObject({ chunks: 300, recomputed: 100 })
    expect(c.id in job.stats!.perPeer).toBe(false)
  })

  it('hands the job over when the leader hands off, and the old one stops driving it', async () => {
    let blocked = true
    const run = async (chunk: number): Promise<number> => (blocked && chunk >= 100 ? never() : chunk * chunk)
    const [a, b] = start([1, 1], { run }) as [FakePeer, FakePeer]
    cluster.elect(a)
    const job = await a.jobs.submit<number>(parts(300))
    while (job.progress.done < 100) await once(job as unknown as EventTarget, 'progress')
    blocked = false
    await a.election.handOff!(b.id, new AbortController().signal)
    expect(runners[0]!.openDrivers).toBe(0)
    cluster.elect(b)
    expect(await job.result()).toBe(expected(300))
  })

  it('fails a job with the chunk that threw', async () => {
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

  it('tries a chunk that threw again, at another peer', async () => {
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

  it('fails a job whose split throws', async () => {
    const [a] = start([1]) as [FakePeer]
    cluster.elect(a)
    const job = await a.jobs.submit(parts(-1))
    await expect(job.result()).rejects.toMatchObject({ function: 'split', index: undefined })
  })

  it('cancels a job everywhere', async () => {
    const [a, b] = start([2, 2], { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit(parts(100))
    await until(() => runners.every(({ running }) => running === 2))
    await job.cancel()
    await expect(job.result()).rejects.toBeInstanceOf(JobCancelledError)
    await until(() => runners.every(({ running }) => running === 0))
    expect((await a.jobs.overview()).jobs).toMatchObject([{ jobId: job.id, state: 'cancelled' }])
  })

  it('cancels a job by the signal that it was submitted with', async () => {
    const [a, b] = start([1, 1], { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const controller = new AbortController()
    const job = await a.jobs.submit(parts(10), { signal: controller.signal })
    await until(() => runners[0]!.running === 1)
    controller.abort()
    await expect(job.result()).rejects.toBeInstanceOf(JobCancelledError)
    await until(() => runners.every(({ running }) => running === 0))
  })

  it('ends the wait for a result, and not the job, when the signal of result is aborted', async () => {
    const [a] = start([1], { run: never }) as [FakePeer]
    cluster.elect(a)
    const job = await a.jobs.submit(parts(10))
    await expect(job.result({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    expect(job.progress.state).not.toBe('cancelled')
  })

  it('stops what a worker runs when another leader is accepted', async () => {
    const [a, b, c] = start([1, 1, 1], { run: never }) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit(parts(100))
    await until(() => runners.every(({ running }) => running === 1))
    const started = runners.map(runner => runner.started.length)
    cluster.elect(b)
    await until(() => runners.every((runner, i) => runner.started.length > started[i]! && runner.running === 1))
    await job.cancel()
  })

  it('joins the job that runs when the same is submitted under its id, and refuses another', async () => {
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

  it('refuses other content under an id in use before the job that runs comes to know', async () => {
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

  it('keeps neither the code nor the input of a job that has ended', async () => {
    const kept = vi.spyOn(KeptOutcomes.prototype, 'add')
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    cluster.elect(b)
    await (await a.jobs.submit(parts(30))).result()
    expect(kept.mock.calls.map(([, outcome]) => outcome)).toEqual([
      {
        outcome: expect.objectContaining({ type: 'completed' }),
        summary: expect.objectContaining({ state: 'completed' }),
        content: { sha256: bundle.sha256, inputSha256: expect.any(String) }
      }
    ])
    kept.mockRestore()
  })

  it('follows a new leader whose epoch is lower than that of the old one', async () => {
    let blocked = true
    const run = async (chunk: number): Promise<number> => (blocked ? never() : chunk * chunk)
    const [a, b, c] = start([1, 1, 1], { run }) as [FakePeer, FakePeer, FakePeer]
    for (let epoch = 1; epoch <= 3; epoch++) cluster.elect(c)
    const job = await a.jobs.submit<number>(parts(30))
    await until(() => runners[0]!.running === 1)
    blocked = false
    cluster.kill(c)
    for (const { election } of [a, b]) election.set({ id: b.id, epoch: 1, rank: { priority: 0, id: b.id } })
    expect(await job.result()).toBe(expected(30))
  })

  it('gives the outcome of a job that has ended to whoever submits it again', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    cluster.elect(b)
    await (await a.jobs.submit(parts(30), { id: 'done' })).result()
    const started = runners.flatMap(runner => runner.started).length
    expect(await (await a.jobs.submit<number>(parts(30), { id: 'done' })).result()).toBe(expected(30))
    expect(runners.flatMap(runner => runner.started).length).toBe(started)
  })

  it('goes on under the same leader when the channel of its client broke', async () => {
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

  it('is cancelled when its client has been gone for ten seconds', async () => {
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

  it('starts over when its client comes back after it was cancelled for want of one', async () => {
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
    } finally {
      vi.useRealTimers()
    }
    blocked = false
    a.network.down = false
    expect(await job.result()).toBe(expected(30))
  })

  it('goes on for the others who wait for it when one of them stops', async () => {
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

  it('sends the code of a task once to each peer that needs it', async () => {
    const [a, b, c] = start([2, 2, 2]) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    for (let i = 0; i < 3; i++) await (await a.jobs.submit(parts(100 + i))).result()
    const codes = cluster.hub.sent.filter(({ message }) => (message as { type: string }).type === 'code')
    expect(codes.map(({ to }) => to).sort()).toEqual([a.id, b.id])
  })

  it('gives the chunks of a worker that is dead to others, though its channel is still open', async () => {
    const [a, b, c] = start([1, 1, 1]) as [FakePeer, FakePeer, FakePeer]
    runners[0]!.task = { run: never }
    cluster.elect(c)
    const job = await b.jobs.submit<number>(parts(50))
    await until(() => runners[0]!.running === 1)
    for (const { membership } of [b, c]) membership.set({ ...a.membership.self, state: 'dead' })
    expect(await job.result()).toBe(expected(50))
  })

  it('stops what a worker ran for a leader that had taken it for dead, and has it work anew', async () => {
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

  it('stops what a worker runs when its leader is not connected any more', async () => {
    const [a, b] = start([1, 1], { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    await b.jobs.submit(parts(10))
    await until(() => runners[0]!.running === 1)
    cluster.kill(b)
    await until(() => runners[0]!.running === 0)
    expect(a.election.leader?.id).toBe(b.id)
  })

  it('stops what a worker runs as soon as it accepts another leader, even before that one calls', async () => {
    const [a, b, c] = start([1, 1, 1], { run: never }) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    await c.jobs.submit(parts(10))
    await until(() => runners[0]!.running === 1)
    a.election.set({ id: b.id, epoch: 2, rank: { priority: 0, id: b.id } })
    await until(() => runners[0]!.running === 0)
  })

  it('ignores outcomes that answer another leadership', async () => {
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
    const partials = [encode(999, 'partial')]
    const outcomes = { type: 'outcomes', job: job.id, indices: runners[0]!.started, partials, failed: [], busyMs: 1 }
    await channel.send({ epoch: 1, ...outcomes })
    open()
    expect(await job.result()).toBe(expected(20))
  })

  it('brings what a task prints to its client, with peer and chunk', async () => {
    const [a, b] = start([1, 1]) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit(parts(60))
    const lines: { peer: string; index: number | undefined; line: string }[] = []
    job.addEventListener('log', ({ detail }) => lines.push(detail))
    await job.result()
    expect(lines.map(({ line }) => line).sort()).toEqual(Array.from({ length: 60 }, (_, i) => `chunk ${i}`).sort())
    expect(new Set(lines.map(({ peer }) => peer))).toEqual(new Set([a.id, b.id]))
  })

  it('tells the leader of all jobs, and others of their own', async () => {
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

  it('shows what goes on at the leader to whoever asks', async () => {
    const [a, b] = start([2, 1], { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit(parts(100))
    await until(() => runners[0]!.running === 2 && runners[1]!.running === 1)
    const overview = await a.jobs.overview()
    expect(overview.jobs).toEqual([{ jobId: job.id, task: 'squares', state: 'running', done: 0, total: undefined }])
    expect(overview.busy).toEqual({ [a.id]: 2, [b.id]: 1 })
    await job.cancel()
  })

  it('gives up the jobs of a peer that stops', async () => {
    const [a, b] = start([1, 1], { run: never }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit(parts(10))
    await a.jobs.stop()
    await expect(job.result()).rejects.toBeInstanceOf(StoppedError)
    await until(() => runners[1]!.openDrivers === 0)
  })

  it('does not work for a leader that is not the accepted one', async () => {
    const [a, b, c] = start([1, 1, 1]) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    cluster.elect(b)
    // c has not heard of b: it goes on as the leader of an older epoch.
    c.election.set({ id: c.id, epoch: 1, rank: { priority: 0, id: c.id } })
    const said = (from: FakePeer, type: string, epoch: number) =>
      cluster.hub.sent.some(
        sent => sent.from === from.id && JSON.stringify(sent.message) === JSON.stringify({ epoch, type, slots: 1 })
      )
    const welcomes = () =>
      cluster.hub.sent.filter(({ message }) => JSON.stringify(message) === '{"epoch":1,"type":"welcome"}')
    await until(() => welcomes().length === 2 && said(a, 'hello', 2))
    expect(said(a, 'hello', 1)).toBe(false)
    expect(said(b, 'hello', 1)).toBe(false)
  })
})
