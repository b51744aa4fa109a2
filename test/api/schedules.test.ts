/** Schedules of peers and clients in one process. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { join as joinCluster } from '../../src/api/peer.ts'
import {
  InvalidOptionError,
  JobCancelledError,
  NoRoomError,
  NoSuchScheduleError,
  NotAdmittedError,
  ScheduleExistsError,
  StoppedError
} from '../../src/common/errors.ts'
import type { Client, ClusterHandle, JoinOptions, Peer, ScheduleInfo } from '../../src/index.ts'
import { startCluster, type TestCluster } from '../../src/testing/cluster.ts'

const DUE = fileURLToPath(new URL('./tasks/due.ts', import.meta.url))
const SECOND = '* * * * * *'
const NEVER_SOON = '0 0 1 1 *'
const SOON = { timeout: 20_000, interval: 20 }
/** The options of a peer of a cluster of its own. */
const ALONE: JoinOptions = { insecure: true, mdns: false, profile: 'local', slots: 1, listen: ['/ip4/127.0.0.1/tcp/0'] }
const ID = /^[a-z]+@\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

let cluster: TestCluster
let client: Client

beforeAll(async () => {
  cluster = await startCluster({ peers: 3 })
  client = cluster.client
})

afterEach(async () => {
  const schedules = await client.schedules.list()
  await Promise.all(schedules.map(({ name }) => client.schedules.remove(name)))
})

afterAll(() => cluster.close())

async function infoOf(handle: ClusterHandle, name: string): Promise<ScheduleInfo> {
  const info = (await handle.schedules.list()).find(schedule => schedule.name === name)
  if (info === undefined) throw new Error(`no schedule ${name}`)
  return info
}

/** Collects the ids of the jobs that complete at the peers, in their order. */
function completed(name: string, peers = cluster.peers): string[] {
  const ids: string[] = []
  for (const peer of peers)
    peer.addEventListener('job', ({ detail: { jobId, state } }) => {
      if (state === 'completed' && jobId.startsWith(`${name}@`) && !ids.includes(jobId)) ids.push(jobId)
    })
  return ids
}

/** Resolves when `count` jobs of the list have completed. */
async function until(ids: string[], count: number): Promise<void> {
  await vi.waitFor(() => expect(ids.length).toBeGreaterThanOrEqual(count), SOON)
}

describe('a schedule', () => {
  test('starts a job at each due time, whose split gets the due time', async () => {
    const ids = completed('tick')
    const info = await client.schedules.add('tick', SECOND, DUE, {}, { timeZone: 'UTC', missed: 'all' })
    expect(info).toMatchObject({ name: 'tick', cron: SECOND, timeZone: 'UTC', task: 'due', state: 'active' })
    expect(info).toMatchObject({ missed: 'all', overlap: 'queue', catchUp: 100, jitter: 0, skipped: 0 })
    await until(ids, 3)
    for (const id of ids) {
      expect(id).toMatch(ID)
      const job = await client.job<string>(id)
      expect(await job.result()).toBe(new Date(id.split('@')[1]!).toISOString())
    }
    const times = ids.map(id => Date.parse(id.split('@')[1]!))
    expect(times).toEqual(times.map((_, i) => times[0]! + i * 1_000))
  })

  test('is listed with its next due time, and with its last job and how it ended', async () => {
    const ids = completed('listed')
    const before = Date.now()
    await client.schedules.add('listed', SECOND, DUE, {})
    await until(ids, 1)
    const info = await vi.waitFor(async () => {
      const listed = await infoOf(client, 'listed')
      expect(listed.last?.state).toBe('completed')
      return listed
    }, SOON)
    expect(info.last!.job).toBe(`listed@${new Date(info.last!.due).toISOString().replace('.000Z', 'Z')}`)
    expect(info.last!.due).toBeGreaterThan(before - 1)
    expect(info.next).toBeGreaterThan(info.last!.due)
    expect(info.problem).toBeUndefined()
  })

  test('uses the time zone of the process that adds it unless another is given', async () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    expect(await client.schedules.add('own', NEVER_SOON, DUE, {})).toMatchObject({ timeZone })
    const tokyo = await client.schedules.add('tokyo', '0 9 1 1 *', DUE, {}, { timeZone: 'Asia/Tokyo' })
    expect(new Date(tokyo.next!).toISOString()).toMatch(/-01-01T00:00:00.000Z$/)
  })

  test('starts no job while it is paused, and continues when it is resumed', async () => {
    const ids = completed('paused')
    await client.schedules.add('paused', SECOND, DUE, {}, { missed: 'all' })
    await until(ids, 1)
    expect(await client.schedules.pause('paused')).toMatchObject({ state: 'paused', next: undefined })
    const { last } = await infoOf(client, 'paused')
    const pausedAt = Date.now()
    const other = completed('beside')
    await client.schedules.add('beside', SECOND, DUE, {})
    await until(other, 3)
    expect((await infoOf(client, 'paused')).last?.job).toBe(last?.job)
    const before = ids.length
    const resumedAt = Date.now()
    expect(await client.schedules.resume('paused')).toMatchObject({ state: 'active' })
    await until(ids, before + 1)
    for (const id of ids) {
      const due = Date.parse(id.split('@')[1]!)
      expect(due < pausedAt || due > resumedAt - 1_000).toBe(true)
    }
  })

  test('starts a job out of turn, also while it is paused', async () => {
    await client.schedules.add('turn', NEVER_SOON, DUE, {})
    await client.schedules.pause('turn')
    const before = Date.now()
    const id = await client.schedules.run('turn')
    expect(id).toMatch(/^turn@\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const job = await client.job<string>(id)
    expect(Date.parse(await job.result())).toBeGreaterThanOrEqual(before)
    await vi.waitFor(
      async () => expect((await infoOf(client, 'turn')).last).toMatchObject({ job: id, state: 'completed' }),
      SOON
    )
  })

  test('is gone when it is removed, and its running job continues', async () => {
    await client.schedules.add('gone', NEVER_SOON, DUE, { ms: 500 })
    const id = await client.schedules.run('gone')
    const job = await client.job<string>(id)
    await client.schedules.remove('gone')
    expect(await client.schedules.list()).toEqual([])
    expect(await job.result()).toBeDefined()
    for (const call of ['remove', 'pause', 'resume', 'run'] as const) {
      const error = await client.schedules[call]('gone').catch((error: unknown) => error)
      expect(error).toBeInstanceOf(NoSuchScheduleError)
      expect(error).toMatchObject({ schedule: 'gone' })
    }
    // The name is free again.
    await client.schedules.add('gone', NEVER_SOON, DUE, {})
  })

  test('skips a due time while the job before has not ended', async () => {
    await client.schedules.add('slow', SECOND, DUE, { ms: 2_500 })
    await vi.waitFor(async () => expect((await infoOf(client, 'slow')).skipped).toBeGreaterThanOrEqual(2), SOON)
    const running = (await client.status()).jobs.filter(({ jobId, state }) => {
      return jobId.startsWith('slow@') && (state === 'accepted' || state === 'running')
    })
    expect(running.length).toBeLessThanOrEqual(1)
  })

  test('starts its jobs one after the other with overlap: queue, and loses none', async () => {
    const ids = completed('queue')
    await client.schedules.add('queue', SECOND, DUE, { ms: 1_300 }, { overlap: 'queue', missed: 'all' })
    await until(ids, 3)
    const times = ids.map(id => Date.parse(id.split('@')[1]!))
    expect(times).toEqual(times.map((_, i) => times[0]! + i * 1_000))
    expect((await infoOf(client, 'queue')).skipped).toBe(0)
  })

  test('runs after the client that added it is closed', async () => {
    const ids = completed('orphan')
    const other = await cluster.connect()
    await other.schedules.add('orphan', SECOND, DUE, {})
    await other.close()
    await until(ids, 2)
    await expect(other.schedules.list()).rejects.toThrow(StoppedError)
  })

  test('is the same at each peer and client', async () => {
    await cluster.peers[0]!.schedules.add('seen', NEVER_SOON, DUE, {})
    for (const handle of [...cluster.peers, client]) {
      const { jitter, ...info } = await infoOf(handle, 'seen')
      expect(info).toMatchObject({ name: 'seen', state: 'active' })
      expect(jitter).toBe(0)
    }
    await cluster.peers[1]!.schedules.remove('seen')
    expect(await cluster.peers[2]!.schedules.list()).toEqual([])
  })
})

describe('an invalid request', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a cron expression that is wrong', () => client.schedules.add('bad', '61 * * * *', DUE, {})],
    ['a cron expression that is never due', () => client.schedules.add('bad', '0 0 30 2 *', DUE, {})],
    ['a cron expression of seven fields', () => client.schedules.add('bad', '* * * * * * 2030', DUE, {})],
    ['an unknown time zone', () => client.schedules.add('bad', SECOND, DUE, {}, { timeZone: 'Mars/Base' })],
    ['an empty name', () => client.schedules.add('', SECOND, DUE, {})],
    ['a name with a slash', () => client.schedules.add('a/b', SECOND, DUE, {})],
    ['a name of 101 characters', () => client.schedules.add('n'.repeat(101), SECOND, DUE, {})],
    ['an unknown missed', () => client.schedules.add('bad', SECOND, DUE, {}, { missed: 'some' as never })],
    ['an unknown overlap', () => client.schedules.add('bad', SECOND, DUE, {}, { overlap: 'some' as never })],
    ['a catchUp of 0', () => client.schedules.add('bad', SECOND, DUE, {}, { catchUp: 0 })],
    ['a jitter of more than a day', () => client.schedules.add('bad', SECOND, DUE, {}, { jitter: 86_400_001 })],
    ['an option of jobs that is out of range', () => client.schedules.add('bad', SECOND, DUE, {}, { retries: -1 })],
    ['a time in the past', () => client.submit(DUE, {}, { at: new Date(Date.now() - 1) })],
    ['a time that is none', () => client.submit(DUE, {}, { at: new Date(Number.NaN) })],
    ['partials of a job that starts later', () => client.submit(DUE, {}, { at: inMs(60_000), partials: true })]
  ])('%s is refused with an InvalidOptionError, and nothing is added', async (_what, call) => {
    await expect(call()).rejects.toThrow(InvalidOptionError)
    expect(await client.schedules.list()).toEqual([])
  })

  test('a name that exists is refused, and the schedule with the name stays', async () => {
    await client.schedules.add('twice', NEVER_SOON, DUE, {})
    const again = client.schedules.add('twice', SECOND, DUE, {})
    await expect(again).rejects.toThrow(/there is a schedule twice already/)
    await expect(again).rejects.toThrow(ScheduleExistsError)
    expect(await infoOf(client, 'twice')).toMatchObject({ cron: NEVER_SOON })
  })

  test('a request after the signal aborted rejects with its reason', async () => {
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await expect(client.schedules.list({ signal })).rejects.toBe(reason)
    await expect(client.schedules.add('late', SECOND, DUE, {}, { signal })).rejects.toBe(reason)
  })
})

function inMs(ms: number): Date {
  return new Date(Date.now() + ms)
}

describe('a job that starts later', () => {
  test('waits until its time, then runs with it as its due time', async () => {
    const at = inMs(1_500)
    const job = await client.submit<{ ms?: number }, string>(DUE, {}, { at, id: 'later' })
    expect(job.id).toBe('later')
    expect(job.progress.state).toBe('accepted')
    expect(await infoOf(client, 'later')).toMatchObject({ cron: undefined, at: at.getTime(), next: at.getTime() })
    expect(await job.result()).toBe(at.toISOString())
    expect(Date.now()).toBeGreaterThanOrEqual(at.getTime())
    await vi.waitFor(async () => expect(await client.schedules.list()).toEqual([]), SOON)
  })

  test('is found by other processes before its time, and can be cancelled', async () => {
    const job = await client.submit(DUE, {}, { at: inMs(3_600_000), id: 'cancelled' })
    const found = await cluster.peers[1]!.job('cancelled')
    await found.cancel()
    await expect(job.result()).rejects.toThrow(JobCancelledError)
    expect(await client.schedules.list()).toEqual([])
    await expect((await client.job('cancelled')).result()).rejects.toThrow(JobCancelledError)
    expect((await client.status()).jobs).toContainEqual(
      expect.objectContaining({ jobId: 'cancelled', state: 'cancelled' })
    )
    const again = await client.submit(DUE, {}, { id: 'cancelled' })
    await expect(again.result()).rejects.toThrow(JobCancelledError)
  })

  test('ends as cancelled when its schedule is removed', async () => {
    const job = await client.submit(DUE, {}, { at: inMs(3_600_000) })
    await client.schedules.remove(job.id)
    await expect(job.result()).rejects.toThrow(JobCancelledError)
    await expect((await client.job(job.id)).result()).rejects.toThrow(JobCancelledError)
  })

  test('is cancelled when the signal of its submission aborts', async () => {
    const abort = new AbortController()
    const job = await client.submit(DUE, {}, { at: inMs(3_600_000), signal: abort.signal })
    abort.abort()
    await expect(job.result()).rejects.toThrow(JobCancelledError)
    expect(await client.schedules.list()).toEqual([])
  })

  test('starts at once when it is asked to run', async () => {
    const at = inMs(3_600_000)
    const job = await client.submit<{ ms?: number }, string>(DUE, {}, { at })
    expect(await client.schedules.run(job.id)).toBe(job.id)
    expect(await job.result()).toBe(at.toISOString())
  })

  test('is joined by a client that submits it again, with a time or without one, and starts once at its first time', async () => {
    const at = inMs(1_500)
    const jobs = [await client.submit<{ ms?: number }, string>(DUE, {}, { at, id: 'joined' })]
    for (const later of [inMs(3_600_000), undefined])
      jobs.push(
        await cluster.peers[1]!.submit<{ ms?: number }, string>(DUE, {}, { id: 'joined', ...(later && { at: later }) })
      )
    expect(await client.schedules.list()).toMatchObject([{ name: 'joined', at: at.getTime() }])
    expect(await Promise.all(jobs.map(job => job.result()))).toEqual(jobs.map(() => at.toISOString()))
  })

  test('keeps its id: another job cannot take it, and it cannot take the id of another job', async () => {
    const job = await client.submit(DUE, {}, { at: inMs(3_600_000), id: 'mine' })
    await expect(cluster.peers[0]!.submit(DUE, { ms: 1 }, { id: 'mine' })).rejects.toThrow(/choose another one/)
    await expect(client.submit(DUE, { ms: 1 }, { id: 'mine', at: inMs(60_000) })).rejects.toThrow(InvalidOptionError)
    await job.cancel()
    await (await client.submit(DUE, {}, { id: 'taken' })).result()
    const other = client.submit(DUE, { ms: 1 }, { id: 'taken', at: inMs(60_000) })
    await expect(other).rejects.toMatchObject({ name: 'IdTakenError', jobId: 'taken' })
  })
})

test('a leader takes no more schedules than its limit', async () => {
  await using own = await startCluster({ peers: [{ limits: { schedules: 2 } }] })
  for (const name of ['a', 'b']) await own.client.schedules.add(name, NEVER_SOON, DUE, {})
  await expect(own.client.schedules.add('c', NEVER_SOON, DUE, {})).rejects.toThrow(NoRoomError)
  await expect(own.client.submit(DUE, {}, { at: inMs(60_000) })).rejects.toThrow(NoRoomError)
  await own.client.schedules.remove('a')
  await own.client.schedules.add('c', NEVER_SOON, DUE, {})
  expect((await own.client.schedules.list()).map(({ name }) => name)).toEqual(['b', 'c'])
})

test('a leader lists many schedules in several messages, in the order of their names', async () => {
  const names = Array.from({ length: 101 }, (_, i) => `many-${String(i).padStart(3, '0')}`)
  await Promise.all(names.map(name => client.schedules.add(name, NEVER_SOON, DUE, {})))
  expect((await client.schedules.list()).map(({ name }) => name)).toEqual(names)
})

describe('on disks', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function start(name: string, first?: Peer): Promise<Peer> {
    const bootstrap = first?.addresses() ?? []
    const peer = await joinCluster({ ...ALONE, cluster: 'disks', dataDir: join(folder, name), bootstrap })
    await vi.waitFor(() => expect(peer.leader).toBeDefined(), SOON)
    return peer
  }

  test('the jobs of a schedule with `durable` wait until as many disks can hold them, and are held there', async () => {
    await using first = await start('first')
    const second = await start('second', first)
    await first.schedules.add('kept', SECOND, DUE, {}, { durable: 2, missed: 'all' })
    await second.leave()
    await vi.waitFor(async () => expect((await infoOf(first, 'kept')).problem).toMatch(/must be on 2 disks/), SOON)
    const before = (await infoOf(first, 'kept')).last?.due ?? 0
    const beside = completed('beside', [first])
    await first.schedules.add('beside', SECOND, DUE, {})
    await until(beside, 3)
    expect((await infoOf(first, 'kept')).last?.due ?? 0).toBe(before)
    await using _second = await start('second', first)
    const { last, skipped } = await vi.waitFor(async () => {
      const info = await infoOf(first, 'kept')
      expect(info.last).toMatchObject({ state: 'completed' })
      expect(info.last!.due).toBeGreaterThan(before)
      return info
    }, SOON)
    expect(skipped).toBe(0)
    const { jobs } = await first.status()
    expect(jobs.find(({ jobId }) => jobId === last!.job)).toMatchObject({ durable: 2, durability: { disk: 2 } })
  })

  test('a schedule, or a job that starts later, is added when as many disks hold it as it asks for, and can be removed without them', async () => {
    await using first = await start('third')
    const later = { at: inMs(3_600_000), id: 'later', durable: 2 }
    const add = (): Promise<ScheduleInfo> => first.schedules.add('kept', NEVER_SOON, DUE, {}, { durable: 2 })
    for (const call of [add, () => first.submit(DUE, {}, later)])
      await expect(call()).rejects.toMatchObject({ name: 'NotDurableError', disks: 1, durable: 2 })
    expect(await first.schedules.list()).toEqual([])

    const second = await start('fourth', first)
    expect(await add()).toMatchObject({ name: 'kept', problem: undefined })
    const job = await first.submit(DUE, {}, later)
    expect(job.durability).toEqual({ memory: 2, disk: 2 })

    await second.leave()
    await vi.waitFor(() => expect(job.durability).toEqual({ memory: 1, disk: 1 }), SOON)
    await expect(first.schedules.run('kept')).rejects.toMatchObject({ name: 'NotDurableError', disks: 1, durable: 2 })
    const paused = first.schedules.pause('kept')
    await first.schedules.remove('kept')
    await expect(paused).rejects.toThrow(NoSuchScheduleError)
    await job.cancel()
    expect(await first.schedules.list()).toEqual([])
  })
})

test('a peer that an allow list does not let submit can list schedules, and changes none', async () => {
  const options = { ...ALONE, cluster: 'allowed' }
  await using leader = await joinCluster({ ...options, electionPriority: 10 })
  await using worker = await joinCluster({ ...options, role: 'worker', bootstrap: leader.addresses() })
  await vi.waitFor(() => expect(worker.leader?.id).toBe(leader.id), SOON)
  const rights = [
    { peer: worker.id, may: ['join'] },
    { peer: leader.id, may: ['join', 'submit'] }
  ] as const
  leader.setAccess({ allow: rights })
  await leader.schedules.add('kept', NEVER_SOON, DUE, {})
  await vi.waitFor(async () => expect(await worker.schedules.list()).toHaveLength(1), SOON)
  await expect(worker.schedules.remove('kept')).rejects.toThrow(NotAdmittedError)
  await expect(worker.schedules.add('other', NEVER_SOON, DUE, {})).rejects.toThrow(NotAdmittedError)
  await expect(worker.submit(DUE, {}, { at: inMs(60_000) })).rejects.toThrow(NotAdmittedError)
  expect(await leader.schedules.list()).toHaveLength(1)
})
