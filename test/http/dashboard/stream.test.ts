import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EVERY_SECOND, follow, type StreamListener } from '../../../src/http/dashboard/stream.ts'

/** Timeouts so long that a slow machine does not make a peer look lost. */
const PATIENT = { ...EVERY_SECOND, silence: 60_000, givenUp: 120_000 }
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 60_000, interval: 20 })

describe('the dashboard and its peer', () => {
  let answer: RequestListener
  const streams: ServerResponse[] = []
  const server = createServer((request, response) => answer(request, response))
  const told: string[] = []
  let stop: AbortController
  let following: Promise<void>

  const streaming: RequestListener = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(': hello\n\n')
    streams.push(response)
  }

  function start(patience = EVERY_SECOND, more: Partial<StreamListener> = {}): void {
    const { port } = server.address() as AddressInfo
    const listener = {
      opened: () => void told.push('opened'),
      event: ({ event, data }: { event: string; data: string }) => void told.push(`${event} ${data}`),
      found: () => void told.push('found'),
      lost: (_: number, why: string) => void (told.includes(`lost: ${why}`) || told.push(`lost: ${why}`)),
      missing: () => void told.push('missing'),
      ...more
    }
    following = follow(`http://127.0.0.1:${port}/api/events`, listener, patience, stop.signal)
  }

  beforeEach(async () => {
    answer = streaming
    told.length = 0
    streams.length = 0
    stop = new AbortController()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  afterEach(async () => {
    stop.abort()
    await following
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  it('the dashboard receives each event', async () => {
    start(PATIENT)
    await until(() => expect(streams).toHaveLength(1))
    streams[0]!.write('event: leader\ndata: {}\n\n')
    await until(() => expect(told).toEqual(['opened', 'leader {}']))
  })

  it('the dashboard notices a silent peer, and continues when the peer sends data again', async () => {
    start()
    await until(() => expect(told).toContain('lost: it has stopped sending'))
    expect(streams).toHaveLength(1)
    streams[0]!.write(': still here\n\n')
    await until(() => expect(told).toEqual(['opened', 'lost: it has stopped sending', 'found']))
  })

  it('the dashboard replaces a connection that stays silent for long', async () => {
    start({ silence: 300, givenUp: 600, check: 200 })
    await until(() => expect(told.filter(text => text === 'opened').length).toBeGreaterThan(1))
    expect(streams.length).toBeGreaterThan(1)
  })

  it('the dashboard notices the end of its connection immediately, and reconnects', async () => {
    start(PATIENT)
    await until(() => expect(streams).toHaveLength(1))
    streams[0]!.end()
    await until(() => expect(told).toEqual(['opened', 'lost: it ended the connection', 'opened', 'found']))
  })

  it('the dashboard reports why a peer refuses a request, and repeats the request', async () => {
    answer = (_, response) => {
      response.writeHead(503, { 'Content-Type': 'application/json' })
      response.end('{"error":{"name":"TooManyReaders","message":"64 read the events of this peer already"}}')
    }
    start()
    await until(() => expect(told).toContain('lost: 64 read the events of this peer already'))
    answer = streaming
    await until(() => expect(told).toContain('found'))
  })

  it('the dashboard does not repeat a request for a missing resource', async () => {
    answer = (_, response) => response.writeHead(404).end()
    start()
    await following
    expect(told).toEqual(['missing'])
  })

  it('the dashboard repeats the request for a required resource, because another server may have answered at the peer’s address', async () => {
    answer = (_, response) => response.writeHead(404).end()
    start(EVERY_SECOND, { missing: undefined })
    await until(() => expect(told).toContain('lost: it answers 404'))
    answer = streaming
    await until(() => expect(told).toContain('found'))
  })

  it('the dashboard closes a connection with an invalid event', async () => {
    const closed: ServerResponse[] = []
    answer = (request, response) => {
      streaming(request, response)
      response.on('close', () => closed.push(response))
      response.write('event: status\ndata: {\n\n')
    }
    start(EVERY_SECOND, { event: ({ data }) => JSON.parse(data) })
    await until(() => expect(closed).toContain(streams[0]))
  })

  it('the dashboard stops immediately when its signal aborts', async () => {
    start(PATIENT)
    // The server sees the request before the client sees the answer.
    await until(() => expect([streams.length, told]).toEqual([1, ['opened']]))
    stop.abort()
    await following
    expect(told).toEqual(['opened'])
  })
})
