import pDefer from 'p-defer'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UnsupportedByLeaderError } from '../../src/common/errors.ts'
import { Reader } from './events.ts'
import { ENDLESS, Served } from './served.ts'

interface Picture {
  jobId: string
  reset: boolean
  first: number
  end: number
  peers: string[]
  runs: number[]
}

/** A task with many short chunks, so that every worker computes some of the chunks. */
const MANY = `
export default {
  name: 'many',
  split: (chunks: number) => Array.from({ length: chunks }, (_, i) => i),
  run(index: number) {
    const until = performance.now() + 0.05
    while (performance.now() < until) {}
    return index
  },
  initial: 0,
  reduce: (sum: number, index: number) => sum + index
}
`
/** Returns a task whose chunks, from the twentieth chunk on, wait until the file exists. */
const HELD = (file: string) => `
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
export default {
  split: () => Array.from({ length: 40 }, (_, i) => i),
  async run(index: number) {
    while (index >= 20 && !existsSync(${JSON.stringify(file)})) await delay(20)
    return index
  },
  initial: 0,
  reduce: (sum: number, index: number) => sum + index
}
`

/** Returns the state of each chunk after a reader has applied all these events. */
function codesOf(pictures: Picture[]): Map<number, string> {
  let codes = new Map<number, string>()
  for (const { reset, peers, runs } of pictures) {
    if (reset) codes = new Map()
    for (let at = 0; at < runs.length; at += 3) {
      const [start = 0, length = 0, code = 0] = runs.slice(at, at + 3)
      const what = code < 2 ? ['waits', 'done'][code]! : `${code % 2 === 0 ? 'at' : 'by'} ${peers[(code - 2) >> 1]}`
      for (let index = start; index < start + length; index++) codes.set(index, what)
    }
  }
  return codes
}

function counts(codes: Map<number, string>): Record<string, number> {
  const found: Record<string, number> = {}
  for (const what of codes.values()) found[what] = (found[what] ?? 0) + 1
  return found
}

describe('/api/chunks', () => {
  const served: Served[] = []
  const readers: Reader[] = []

  afterEach(async () => {
    vi.restoreAllMocks()
    for (const reader of readers.splice(0)) reader.close()
    for (const one of served.splice(0).reverse()) await one.stop()
  })

  async function start(bootstrap: string[] = [], more = {}): Promise<Served> {
    const one = await Served.start({ bootstrap, cluster: `chunks-${process.pid}`, ...more })
    served.push(one)
    return one
  }

  function watch(one: Served, jobId: string): Reader {
    const reader = new Reader(one.http.url, {}, `/api/chunks/${jobId}`)
    readers.push(reader)
    return reader
  }

  it('a follower reports which peer has computed each chunk, and the report agrees with the statistics of the job', async () => {
    const leader = await start()
    await leader.leads()
    const worker = await start(leader.peer.addresses(), { role: 'worker' })
    await vi.waitFor(() => expect(worker.peer.leader?.id).toBe(leader.peer.id), { timeout: 60_000 })
    const task = await leader.file('many.ts', MANY)
    const job = await worker.peer.submit(task, 50_000)
    const reader = watch(worker, job.id)
    await job.result()
    await reader.until(() => expect(reader.ended).toBe(true))
    expect(reader.headers['content-type']).toBe('text/event-stream')
    expect(reader.events.map(({ event }) => event)).toEqual([...reader.of('chunks').map(() => 'chunks'), 'ended'])
    expect(reader.of('ended')).toEqual([{ jobId: job.id, state: 'completed' }])
    const pictures = reader.of('chunks') as Picture[]
    expect(pictures.map(({ reset }) => reset)).toEqual(pictures.map((_, at) => at === 0))
    expect(pictures.at(-1)).toMatchObject({ jobId: job.id, first: 0, end: 50_000 })
    const perPeer = Object.entries(job.stats!.perPeer).map(([peer, chunks]) => [`by ${peer}`, chunks])
    expect(perPeer).toHaveLength(2)
    expect(counts(codesOf(pictures))).toEqual(Object.fromEntries(perPeer))
  })

  it('each reader first receives the complete map, and the peer polls the leader once for all readers and only while a reader is connected', async () => {
    const one = await start()
    await one.leads()
    await one.submit({ source: ENDLESS, options: { id: 'endless' } })
    const asks = vi.spyOn(one.peer, 'chunkMap')
    const first = watch(one, 'endless')
    const at = `at ${one.peer.id}`
    await first.until(() => expect([...codesOf(first.of('chunks') as Picture[]).values()]).toEqual([at]))
    const second = watch(one, 'endless')
    await second.until(() => expect(second.of('chunks')).toMatchObject([{ reset: true, end: 1 }]))
    const before = asks.mock.calls.length
    await vi.waitFor(() => expect(asks.mock.calls.length).toBeGreaterThan(before + 1), { timeout: 60_000 })
    // After the first complete map, the peer asks only for changes. Nothing changed, so no event is sent.
    expect(asks.mock.calls.slice(1).every(([, options]) => options?.since !== undefined)).toBe(true)
    expect(second.events).toHaveLength(1)
    // The first reader already had the complete map, so the first reader receives no second complete map.
    expect((first.of('chunks') as Picture[]).filter(({ reset }) => reset)).toHaveLength(1)

    first.close()
    second.close()
    const { signal } = asks.mock.calls.at(-1)![1]!
    await vi.waitFor(() => expect(signal?.aborted).toBe(true), { timeout: 60_000 })
  })

  it('a job that the leader does not know is reported as gone', async () => {
    const one = await start()
    await one.leads()
    const reader = watch(one, 'nobody-knows')
    await reader.until(() => expect(reader.ended).toBe(true))
    expect(reader.events.map(({ event, data }) => [event, data])).toEqual([
      ['gone', { jobId: 'nobody-knows', message: expect.stringContaining('the cluster knows no job nobody-knows') }]
    ])
    expect((await one.ask('/api/chunks/%20')).status).toBe(400)
  })

  it('a job is reported as gone if the leader runs an older version of p2p-worker without chunk maps', async () => {
    const one = await start()
    await one.leads()
    vi.spyOn(one.peer, 'chunkMap').mockRejectedValue(new UnsupportedByLeaderError('an older version'))
    const reader = watch(one, 'job')
    await reader.until(() => expect(reader.ended).toBe(true))
    expect(reader.of('gone')).toEqual([{ jobId: 'job', message: 'an older version' }])
  })

  it('when the first leader never answers, the peer asks the next leader for the chunks', async () => {
    const one = await start()
    await one.leads()
    const asked: AbortSignal[] = []
    vi.spyOn(one.peer, 'chunkMap').mockImplementation((_, { signal } = {}) => {
      asked.push(signal!)
      return new Promise((__, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    })
    const reader = watch(one, 'job')
    await reader.until(() => expect(asked).toHaveLength(1))
    await start(one.peer.addresses(), { electionPriority: 1 })
    await reader.until(() => expect(asked.length).toBeGreaterThan(1))
    expect(asked[0]!.aborted).toBe(true)
  })

  it('the peer requests the chunks of one watched job at a time', async () => {
    const one = await start()
    await one.leads()
    const asked: string[] = []
    const held = pDefer<void>()
    vi.spyOn(one.peer, 'chunkMap').mockImplementation(async jobId => {
      asked.push(jobId)
      await held.promise
      return { jobId, state: 'running', version: '1', reset: true, first: 0, end: 1, peers: [], runs: [0, 1, 0] }
    })
    const some = Array.from({ length: 20 }, (_, at) => watch(one, `job-${at}`))
    for (const reader of some) await reader.until(() => expect(reader.status).toBe(200))
    expect(asked).toHaveLength(1)
    held.resolve()
    for (const reader of some) await reader.until(() => expect(reader.of('chunks').length).toBeGreaterThan(0))
  })

  it('a reader receives a new complete map after a takeover by a leader that does not know the earlier workers', async () => {
    const low = await start()
    await low.leads()
    const file = `${low.folder}/go-on`
    const worker = await start(low.peer.addresses(), { role: 'worker' })
    await vi.waitFor(() => expect(worker.peer.leader?.id).toBe(low.peer.id), { timeout: 60_000 })
    const job = await worker.peer.submit(await low.file('held.ts', HELD(file)), undefined)
    const reader = watch(worker, job.id)
    const pictures = () => reader.of('chunks') as Picture[]
    const done = () => [...codesOf(pictures()).entries()].filter(([, what]) => what === 'done' || what.startsWith('by'))
    await reader.until(() => expect(done().length).toBeGreaterThan(0))
    const high = await start(low.peer.addresses(), { electionPriority: 1, slots: 2 })
    await vi.waitFor(() => expect(worker.peer.leader?.id).toBe(high.peer.id), { timeout: 60_000 })
    await reader.until(() => expect(pictures().filter(({ reset }) => reset).length).toBeGreaterThanOrEqual(2))
    await low.file('go-on', '')
    expect(await job.result()).toBe(780)
    await reader.until(() => expect(reader.of('ended')).toEqual([{ jobId: job.id, state: 'completed' }]))
    expect(done()).toHaveLength(40)
  })

  it('/api/chunks and /api/events share one limit on the number of readers', async () => {
    const one = await start()
    await one.leads()
    await one.submit({ source: ENDLESS, options: { id: 'endless' } })
    const some = Array.from({ length: 64 }, (_, at) => {
      const reader = at % 2 === 0 ? watch(one, 'endless') : new Reader(one.http.url)
      readers.push(reader)
      return reader
    })
    for (const reader of some) await reader.until(() => expect(reader.status).toBe(200))
    expect((await one.ask('/api/chunks/endless')).status).toBe(503)
    expect((await one.ask('/api/events')).status).toBe(503)
    expect((await one.ask('/metrics')).text).toMatch(/^p2p_worker_http_event_streams 64$/m)
    for (const reader of some) reader.close()
    await vi.waitFor(async () => expect((await one.ask('/metrics')).text).toMatch(/event_streams 0$/m), {
      timeout: 60_000
    })
  })

  it('a stream of chunks ends when the peer that serves the stream leaves the cluster', async () => {
    const one = await start()
    await one.leads()
    await one.submit({ source: ENDLESS, options: { id: 'endless' } })
    const reader = watch(one, 'endless')
    await reader.until(() => expect(reader.of('chunks')).toHaveLength(1))
    one.http.drain()
    await reader.until(() => expect(reader.ended).toBe(true))
  })
})
