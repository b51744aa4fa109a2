import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Reader } from './events.ts'
import { ENDLESS, Served, SUM } from './served.ts'

describe('/api/events', () => {
  const served: Served[] = []
  const readers: Reader[] = []

  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.close()
    for (const one of served.splice(0).reverse()) await one.stop()
  })

  async function start(bootstrap: string[] = [], withLibp2p = {}): Promise<Served> {
    const one = await Served.start({ bootstrap, cluster: `events-${process.pid}`, ...withLibp2p })
    served.push(one)
    return one
  }

  function read(one: Served): Reader {
    const reader = new Reader(one.http.url)
    readers.push(reader)
    return reader
  }

  it('the stream begins with the status of /api/status, then reports members, leaders and jobs as `join --json` does', async () => {
    const first = await start()
    await first.leads()
    const reader = read(first)
    await reader.until(() => expect(reader.events).toHaveLength(1))
    expect(reader.headers['content-type']).toBe('text/event-stream')
    expect(reader.headers['x-content-type-options']).toBe('nosniff')
    expect(reader.text).toMatch(/^retry: \d+\n\n/)
    const status = (await first.ask('/api/status')).json
    expect(reader.events[0]).toEqual({ id: 1, event: 'status', data: { ...status, leaderlessMs: expect.anything() } })

    const second = await start(first.peer.addresses(), { electionPriority: 1 })
    await reader.until(() =>
      expect(reader.of('leader')).toContainEqual(expect.objectContaining({ peerId: second.peer.id }))
    )
    expect(reader.of('member')[0]).toEqual({
      event: 'member',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      peerId: second.peer.id,
      state: 'alive',
      incarnation: expect.any(Number)
    })
    expect(reader.of('leader').at(-1)).toEqual({
      event: 'leader',
      time: expect.any(String),
      peerId: second.peer.id,
      epoch: second.peer.leader?.epoch
    })
    expect(reader.of('member').filter(data => (data as { peerId: string }).peerId === first.peer.id)).toEqual([])
    // A later status includes both peers.
    await reader.until(() =>
      expect(reader.of('status').at(-1)).toMatchObject({
        leader: second.peer.id,
        members: [
          { peerId: second.peer.id, node: process.versions.node },
          { peerId: first.peer.id, node: process.versions.node }
        ]
      })
    )
    expect(reader.events.map(({ id }) => id)).toEqual(reader.events.map((_, index) => index + 1))
  })

  it('no peer reports a change of a job twice, even after a change of leader', async () => {
    const low = await start()
    await low.leads()
    const worker = await start(low.peer.addresses(), { role: 'worker' })
    await vi.waitFor(() => expect(worker.peer.leader?.id).toBe(low.peer.id), { timeout: 60_000 })
    const followers = [read(low), read(worker)]
    for (const reader of followers) await reader.until(() => expect(reader.events.length).toBeGreaterThan(0))

    await worker.submit({ source: SUM, input: { numbers: [1, 2, 3] }, options: { id: 'short' } })
    await worker.submit({ source: ENDLESS, options: { id: 'long' } })
    for (const reader of followers) {
      await reader.until(() => expect(reader.states('short').at(-1)).toBe('completed'))
      await reader.until(() => expect(reader.states('long').at(-1)).toBe('running'))
    }
    expect(followers[0]!.states('short')).toEqual(['accepted', 'running', 'completed'])
    // The reader at the worker polls the leader once a second, so it may miss a state of a short job.
    expect(['accepted', 'running', 'completed'].filter(state => followers[1]!.states('short').includes(state))).toEqual(
      followers[1]!.states('short')
    )

    const high = await start(low.peer.addresses(), { electionPriority: 1 })
    await vi.waitFor(() => expect(low.peer.leader?.id).toBe(high.peer.id), { timeout: 60_000 })
    for (const reader of followers) await reader.until(() => expect(reader.states('long').at(-1)).toBe('resumed'))
    expect((await high.own('/api/jobs/long', { method: 'DELETE' })).json).toEqual({ jobId: 'long', state: 'cancelled' })
    for (const reader of followers) {
      await reader.until(() => expect(reader.states('long').at(-1)).toBe('cancelled'))
      const states = reader.states('long')
      expect(states.filter((state, index) => states.indexOf(state) !== index)).toEqual([])
      expect(reader.of('status').at(-1)).toBeDefined()
    }
  })

  it('the peer polls the leader once for all readers and only while a reader is connected, and sends no unchanged status', async () => {
    const one = await start()
    await one.leads()
    const look = vi.spyOn(one.peer, 'status')
    const many = Array.from({ length: 10 }, () => read(one))
    for (const reader of many) await reader.until(() => expect(reader.of('status')).toHaveLength(1))
    // One request for each reader would be ten.
    expect(look.mock.calls.length).toBeLessThan(10)
    await vi.waitFor(() => expect(look.mock.calls.length).toBeGreaterThan(2), { timeout: 60_000 })
    for (const reader of many) expect(reader.of('status')).toHaveLength(1)
    for (const reader of many) reader.close()
    await vi.waitFor(
      async () => expect((await one.ask('/metrics')).text).toContain('p2p_worker_http_event_streams 0'),
      {
        timeout: 60_000
      }
    )
    const before = look.mock.calls.length
    const again = read(one)
    await again.until(() => expect(again.of('status')).toHaveLength(1))
    expect(look.mock.calls.length).toBeGreaterThan(before)
  })

  it('the stream sends heartbeats as comments', async () => {
    const one = await start()
    await one.leads()
    const reader = read(one)
    await reader.until(() => expect(reader.text.match(/^: still here$/gm)?.length).toBeGreaterThan(2))
    expect(reader.of('status')).toHaveLength(1)
  })

  it('the peer serves 64 readers, and refuses a further reader until one of the 64 readers disconnects', async () => {
    const one = await start()
    await one.leads()
    const many = Array.from({ length: 64 }, () => read(one))
    for (const reader of many) await reader.until(() => expect(reader.status).toBe(200))
    const { status, json, headers } = await one.ask('/api/events')
    expect([status, json.error.name, headers['retry-after']]).toEqual([503, 'TooManyReaders', '5'])
    many[0]!.close()
    await vi.waitFor(
      async () => {
        const another = read(one)
        await another.until(() => expect(another.status).toBeDefined())
        expect(another.status).toBe(200)
      },
      { timeout: 60_000 }
    )
  })

  it('requests that a client pipelines behind a stream do not count as readers', async () => {
    const one = await start()
    await one.leads()
    const { hostname, port } = new URL(one.http.url)
    const socket = connect(Number(port), hostname)
    let answers = ''
    socket.on('data', data => {
      answers += data
    })
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.write('GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(70))
    await vi.waitFor(() => expect(answers).toContain('event: status'), { timeout: 60_000 })
    expect((await one.ask('/metrics')).text).toContain('p2p_worker_http_event_streams 1\n')
    socket.destroy()
    await closed
    await vi.waitFor(
      async () => expect((await one.ask('/metrics')).text).toContain('p2p_worker_http_event_streams 0'),
      {
        timeout: 60_000
      }
    )
    const reader = read(one)
    await reader.until(() => expect(reader.status).toBe(200))
  })

  it('a HEAD request does not count as a reader', async () => {
    const one = await start()
    expect((await one.ask('/api/events', { method: 'HEAD' })).status).toBe(200)
    expect((await one.ask('/metrics')).text).toContain('p2p_worker_http_event_streams 0')
  })

  it('the stream ends when the peer begins to leave the cluster, and from then on the peer starts no stream', async () => {
    const one = await start()
    await one.leads()
    const reader = read(one)
    await reader.until(() => expect(reader.events).toHaveLength(1))
    one.http.drain()
    await reader.until(() => expect(reader.ended).toBe(true))
    expect((await one.ask('/api/events')).status).toBe(503)
    expect((await one.submit({ source: SUM })).status).toBe(503)
    expect((await one.ask('/readyz')).json).toEqual({ status: 'not ready', reason: 'it is leaving' })
    expect((await one.ask('/healthz')).status).toBe(200)
  })
})
