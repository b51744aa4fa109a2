import { setMaxListeners } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Lock, LockInfo } from '../../src/api/lock-types.ts'
import { LockLostError, StoppedError } from '../../src/common/errors.ts'
import { HttpLocks } from '../../src/http/locks.ts'
import { Reader } from './events.ts'
import { type Answer, Served } from './served.ts'

function post(served: Served, name: string, body: object = {}): Promise<Answer> {
  return served.own(`/api/locks/${encodeURIComponent(name)}`, { method: 'POST', body: JSON.stringify(body) })
}

/** Asks for a lock with a request that stays open. */
function streamed(served: Served, name: string, body: object = {}): Reader {
  const headers = {
    Accept: 'text/event-stream',
    'Content-Type': 'application/json',
    Authorization: `Bearer ${served.http.token}`
  }
  return new Reader(served.http.url, headers, `/api/locks/${encodeURIComponent(name)}`, JSON.stringify(body))
}

const PATIENT = { timeout: 60_000 }

async function listed(served: Served, name: string): Promise<LockInfo | undefined> {
  const { json } = await served.ask('/api/locks')
  return json.find((lock: LockInfo) => lock.name === name)
}

describe('locks over HTTP', () => {
  let served: Served
  const readers: Reader[] = []

  const stream = (name: string, body?: object): Reader => {
    const reader = streamed(served, name, body)
    readers.push(reader)
    return reader
  }

  beforeAll(async () => {
    served = await Served.start()
    await served.leads()
  })

  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close()
  })

  afterAll(() => served.stop())

  it('a session is granted, listed without the token, renewed and released', async () => {
    const { status, json, headers } = await post(served, 'report', { ttl: 20_000, owner: 'the night shift' })
    expect([status, json]).toEqual([
      201,
      { session: expect.any(String), token: expect.any(Number), validMs: expect.any(Number), renewEveryMs: 5_000 }
    ])
    expect(json.validMs).toBeGreaterThan(10_000)
    expect(json.validMs).toBeLessThan(20_000)
    expect(headers.location).toBe(`/api/locks/report/sessions/${json.session}`)
    const holder = { client: served.peer.id, owner: 'the night shift', token: json.token, ttl: 20_000 }
    expect(await listed(served, 'report')).toMatchObject({ kind: 'lock', limit: 1, holders: [holder], waiters: [] })

    const renewed = await served.own(headers.location!, { method: 'PUT' })
    expect([renewed.status, renewed.json]).toEqual([200, { token: json.token, validMs: expect.any(Number) }])
    for (const _ of [1, 2]) {
      const released = await served.own(headers.location!, { method: 'DELETE' })
      expect([released.status, released.text]).toEqual([204, ''])
    }
    expect(await listed(served, 'report')).toBeUndefined()
    const next = await post(served, 'report')
    expect(next.json.token).toBeGreaterThan(json.token)
    const { holders } = (await listed(served, 'report'))!
    expect(holders[0]!.owner).toMatch(/^an HTTP client at .*127\.0\.0\.1$/)
  })

  it('a renewal of a session that is over, or of another lock, gets 410 and says what to do', async () => {
    const { json } = await post(served, 'mine')
    for (const path of [`mine/sessions/unknown`, `other/sessions/${json.session}`]) {
      const { status, json: problem } = await served.own(`/api/locks/${path}`, { method: 'PUT' })
      expect([status, problem.error.name]).toEqual([410, 'LockLostError'])
      expect(problem.error.message).toMatch(/stop what the lock protects, then ask for the lock again/)
    }
    expect((await served.own(`/api/locks/other/sessions/${json.session}`, { method: 'DELETE' })).status).toBe(204)
    expect(await listed(served, 'mine')).toBeDefined()
  })

  it('a session that is not renewed ends, but not while its client may rely on it', async () => {
    const sent = performance.now()
    const { json } = await post(served, 'short', { ttl: 1_000 })
    const renewed = performance.now()
    const path = `/api/locks/short/sessions/${json.session}`
    const { validMs } = (await served.own(path, { method: 'PUT' })).json
    await using _ = await served.peer.lock('short')
    expect(performance.now()).toBeGreaterThan(Math.max(sent + json.validMs, renewed + validMs))
    expect((await served.own(path, { method: 'PUT' })).status).toBe(410)
  })

  it.each(['a/b', '100 %', '%2F', 'ä?#', '…', ' '])('a lock may have the name %j', async name => {
    const { status, headers } = await post(served, name)
    expect(status).toBe(201)
    expect((await listed(served, name))?.holders).toHaveLength(1)
    expect((await served.own(headers.location!, { method: 'PUT' })).status).toBe(200)
    expect((await served.own(headers.location!, { method: 'DELETE' })).status).toBe(204)
    expect(await listed(served, name)).toBeUndefined()
  })

  const WRONG: [what: string, body: unknown, message: RegExp][] = [
    ['an array as the body', [], /must be an object/],
    ['an unknown field', { signal: 1 }, /"signal"/],
    ['a field of another type', { ttl: '10s' }, /`ttl` must be a number, in ms/],
    ['a ttl that is too short', { ttl: 999 }, /1000 to 30000 ms, not 999/],
    ['a ttl that is too long', { ttl: 30_001 }, /1000 to 30000 ms/],
    ['no limit', { limit: 0 }, /whole number from 1 to 1000/],
    ['a negative wait', { wait: -1 }, /`wait` must be a number of ms/],
    ['an empty owner', { owner: '' }, /`owner` of a lock must have 1 to 200/],
    ['a long owner', { owner: 'x'.repeat(201) }, /`owner` of a lock must have 1 to 200/]
  ]

  it.each(WRONG)('a request with %s is refused', async (_, body, message) => {
    const { status, json } = await post(served, 'wrong', body as object)
    expect([status, json.error.name]).toEqual([400, 'InvalidOptionError'])
    expect(json.error.message).toMatch(message)
  })

  it('a long name, another limit than that of the lock, a large body and a body of another type are refused', async () => {
    const long = await post(served, 'x'.repeat(201))
    expect([long.status, long.json.error.message]).toEqual([
      400,
      expect.stringContaining('must have 1 to 200 characters, not 201')
    ])
    await post(served, 'pair', { limit: 2 })
    const other = await post(served, 'pair', { limit: 3 })
    expect([other.status, other.json.error.message]).toEqual([400, expect.stringContaining('has the limit 2, not 3')])
    expect((await post(served, 'large', { owner: 'x'.repeat(2 ** 14) })).status).toBe(413)
    const headers = { 'Content-Type': 'text/plain' }
    expect((await served.own('/api/locks/a', { method: 'POST', body: '{}', headers })).status).toBe(415)
  })

  it('a lock that is not granted within `wait` gets 409, also for a stream that tries once', async () => {
    const { headers } = await post(served, 'busy')
    for (const wait of [0, 100]) {
      const { status, json } = await post(served, 'busy', { wait })
      expect([status, json.error.name]).toEqual([409, 'LockTimeoutError'])
    }
    const once = stream('busy', { wait: 0 })
    await once.until(() => expect(once.ended).toBe(true))
    expect([once.status, once.events]).toEqual([409, []])
    const patient = stream('busy', { wait: 100 })
    await patient.until(() => expect(patient.ended).toBe(true))
    expect(patient.events).toMatchObject([
      { event: 'waiting', data: { ahead: 0 } },
      { event: 'failed', data: { name: 'LockTimeoutError', message: expect.stringContaining('within 0.1 s') } }
    ])
    await served.own(headers.location!, { method: 'DELETE' })
    expect(await listed(served, 'busy')).toBeUndefined()
  })

  it('a stream says how many wait before it, holds the lock for longer than its ttl, and releases it when the client closes it', async () => {
    const first = stream('turns', { ttl: 1_000 })
    await first.until(() => expect(first.of('held')).toHaveLength(1))
    expect([first.status, first.headers['content-type']]).toEqual([200, 'text/event-stream'])
    const second = stream('turns')
    await second.until(() => expect(second.of('waiting')).toEqual([{ ahead: 0 }]))
    const third = stream('turns')
    await third.until(() => expect(third.of('waiting')).toEqual([{ ahead: 1 }]))
    await first.until(() => expect(first.text.match(/: still here/g)?.length).toBeGreaterThan(1))
    expect((await listed(served, 'turns'))?.holders[0]).toMatchObject(first.of('held')[0] as object)
    first.close()
    await second.until(() => expect(second.of('held')).toHaveLength(1))
    await third.until(() => expect(third.of('waiting')).toEqual([{ ahead: 1 }, { ahead: 0 }]))
    const [{ token }, { token: before }] = [second.of('held')[0], first.of('held')[0]] as { token: number }[] as [
      { token: number },
      { token: number }
    ]
    expect(token).toBeGreaterThan(before)
  })

  it('a client that disconnects while it waits loses its place', async () => {
    const { headers } = await post(served, 'queue')
    const leaves = stream('queue')
    await leaves.until(() => expect(leaves.of('waiting')).toHaveLength(1))
    const session = streamed(served, 'queue')
    readers.push(session)
    const stays = post(served, 'queue')
    await vi.waitFor(async () => expect((await listed(served, 'queue'))?.waiters).toHaveLength(3), PATIENT)
    leaves.close()
    session.close()
    await vi.waitFor(async () => expect((await listed(served, 'queue'))?.waiters).toHaveLength(1), PATIENT)
    await served.own(headers.location!, { method: 'DELETE' })
    expect((await stays).status).toBe(201)
  })

  it('a client without a stream that disconnects while it waits loses its place', async () => {
    await using _ = await served.peer.lock('gone')
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${served.http.token}` }
    const waits = new Reader(served.http.url, headers, '/api/locks/gone', '{}')
    await vi.waitFor(async () => expect((await listed(served, 'gone'))?.waiters).toHaveLength(1), PATIENT)
    waits.close()
    await vi.waitFor(async () => expect((await listed(served, 'gone'))?.waiters).toHaveLength(0), PATIENT)
  })
})

describe('a peer that holds locks for HTTP clients', () => {
  const all: Served[] = []

  async function start(options: Parameters<typeof Served.start>[0] = {}): Promise<Served> {
    const served = await Served.start({ cluster: `http-locks-${process.pid}`, ...options })
    all.push(served)
    return served
  }

  afterEach(async () => {
    for (const served of all.splice(0).reverse()) await served.stop()
  })

  it('when its HTTP API stops, streams end with `lost`, and no lock is free while a client may rely on it', async () => {
    const served = await start()
    await served.leads()
    const sent = performance.now()
    const { json } = await post(served, 'session', { ttl: 2_000 })
    const stream = streamed(served, 'stream', { ttl: 2_000 })
    await stream.until(() => expect(stream.of('held')).toHaveLength(1))
    const waits = streamed(served, 'session')
    await waits.until(() => expect(waits.of('waiting')).toHaveLength(1))
    await served.http.stop()
    const stopped = performance.now()
    await stream.until(() => expect(stream.ended).toBe(true))
    expect(stream.of('lost')).toMatchObject([{ name: 'StoppedError' }])
    await waits.until(() => expect(waits.ended).toBe(true))
    expect(waits.of('failed')).toMatchObject([{ name: 'StoppedError' }])
    const freeAt = async (name: string): Promise<number> => {
      await using _ = await served.peer.lock(name)
      return performance.now()
    }
    const [session, ofStream] = await Promise.all([freeAt('session'), freeAt('stream')])
    expect(session).toBeGreaterThan(sent + json.validMs)
    expect(ofStream).toBeGreaterThan(stopped + 1_000)
  })

  it('when it leaves the cluster, streams end with `lost`, and no lock is free while a client may rely on it', async () => {
    const leader = await start({ electionPriority: 1 })
    await leader.leads()
    const served = await start({ bootstrap: leader.peer.addresses() })
    await vi.waitFor(() => expect(served.peer.leader?.id).toBe(leader.peer.id), { timeout: 60_000 })
    const sent = performance.now()
    const { json, headers } = await post(served, 'session', { ttl: 3_000 })
    const stream = streamed(served, 'stream', { ttl: 3_000 })
    await stream.until(() => expect(stream.of('held')).toHaveLength(1))
    const lost = stream.until(() => expect(stream.of('lost')).toMatchObject([{ name: 'LockLostError' }]))
    await Promise.all([lost, served.peer.leave()])
    expect((await served.own(headers.location!, { method: 'PUT' })).status).toBe(410)
    await using _ = await leader.peer.lock('session')
    expect(performance.now()).toBeGreaterThan(sent + json.validMs)
  })
})

describe('the locks that a peer holds for HTTP clients', () => {
  /** How long the locks of the peer remain, in ms. */
  let remaining = 700
  const released: string[] = []
  let lost = new AbortController()

  const peer = {
    leader: { id: 'me', epoch: 1 },
    lock: async (name: string): Promise<Lock> => ({
      name,
      token: 1,
      signal: lost.signal,
      remaining: () => remaining,
      release: async () => void released.push(name),
      [Symbol.asyncDispose]: async () => {}
    })
  } as unknown as ConstructorParameters<typeof HttpLocks>[0]
  const never = new AbortController().signal

  afterEach(() => {
    vi.useRealTimers()
    released.length = 0
    remaining = 700
    lost = new AbortController()
    setMaxListeners(0, lost.signal)
  })

  it('a session promises no more than what remains of the lock, is kept for one ttl after a renewal, and is then released', async () => {
    vi.useFakeTimers()
    const locks = new HttpLocks(peer, never)
    const { session, validMs } = await locks.open('a', { ttl: 1_000 }, never)
    expect(validMs).toBe(700)
    vi.advanceTimersByTime(900)
    remaining = 500.9
    expect(locks.renew('a', session)).toEqual({ token: 1, validMs: 500 })
    vi.advanceTimersByTime(999)
    expect(released).toEqual([])
    vi.advanceTimersByTime(1)
    expect(released).toEqual(['a'])
    expect(() => locks.renew('a', session)).toThrow(LockLostError)
  })

  it('a session is over as soon as its lock is lost', async () => {
    const locks = new HttpLocks(peer, never)
    const { session } = await locks.open('a', {}, never)
    lost.abort(new LockLostError('no leader has renewed it in time'))
    expect(() => locks.renew('a', session)).toThrow(LockLostError)
    const { session: other } = await locks.open('b', {}, never)
    remaining = 0
    expect(() => locks.renew('b', other)).toThrow(LockLostError)
  })

  it('a lock that is granted after its client has gone is released', async () => {
    const gone = new AbortController()
    const locks = new HttpLocks(
      {
        ...peer,
        lock: async name => {
          gone.abort()
          return await peer.lock(name)
        }
      },
      never
    )
    await expect(locks.open('late', {}, gone.signal)).rejects.toBeInstanceOf(StoppedError)
    expect(released).toEqual(['late'])
  })

  it('the 1,001st lock is refused with 429, until another is released', async () => {
    const locks = new HttpLocks(peer, never)
    const ids: string[] = []
    for (let i = 0; i < 1_000; i++) ids.push((await locks.open('a', {}, never)).session)
    await expect(locks.open('a', {}, never)).rejects.toMatchObject({ status: 429, name: 'TooManyLocks' })
    await locks.release('a', ids[0]!)
    await locks.open('a', {}, never)
  })
})
