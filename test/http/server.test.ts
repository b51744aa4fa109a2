import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { PeerMetrics } from '../../src/http/metrics.ts'
import { bindHttp, serveHttp } from '../../src/http/server.ts'
import { Reader } from './events.ts'
import { ask, Served } from './served.ts'

describe('bindHttp()', () => {
  it('bindHttp() reports a taken port before the peer starts', async () => {
    const other = createServer()
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    await expect(bindHttp({ port })).rejects.toMatchObject({
      name: 'P2pWorkerError',
      message: expect.stringContaining(`port ${port} of 127.0.0.1: another process uses it`),
      cause: { code: 'EADDRINUSE' }
    })
    other.close()
  })

  it('bindHttp() refuses a host that is not an address of this machine', async () => {
    for (const host of ['192.0.2.1', 'no-such-host.invalid']) {
      await expect(bindHttp({ host, port: 0 })).rejects.toMatchObject({ name: 'InvalidOptionError' })
    }
  })

  it('a bound port answers 503 until the peer has started, and is free after close()', async () => {
    const bound = await bindHttp({ port: 0 })
    for (const path of ['/healthz', '/readyz', '/api/jobs']) {
      const { status, json, headers } = await ask(bound.url, path, { headers: { Host: 'evil.example' } })
      expect([status, json.error.name]).toEqual([503, 'NotReadyError'])
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    await bound.close()
    const again = await bindHttp({ port: Number(new URL(bound.url).port) })
    await again.close()
  })

  it('bindHttp() accepts an IPv6 host', async () => {
    const bound = await bindHttp({ host: '::1', port: 0 })
    expect(bound.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    await bound.close()
  })
})

describe('the server', () => {
  let served: Served
  const sockets: Socket[] = []
  const readers: Reader[] = []

  beforeAll(async () => {
    served = await Served.start()
    await served.leads()
  })

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    for (const reader of readers.splice(0)) reader.close()
  })

  afterAll(() => served.stop())

  /** Opens a connection and sends only this text. */
  async function raw(text: string): Promise<{ socket: Socket; read: () => string; closed: Promise<unknown> }> {
    const { hostname, port } = new URL(served.http.url)
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    let answer = ''
    socket.on('data', data => {
      answer += data
    })
    socket.on('error', () => {})
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.write(text)
    return { socket, read: () => answer, closed }
  }

  // Node's own limit would end these connections only after more than a minute.
  it('the server ends a connection on which headers never arrive or arrive byte by byte', {
    timeout: 50_000
  }, async () => {
    const nothing = await raw('')
    const slow = await raw('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
    const drip = setInterval(() => slow.socket.write('x'), 200)
    await Promise.all([nothing.closed, slow.closed])
    clearInterval(drip)
    expect(slow.read()).toMatch(/^(HTTP\/1.1 408 |$)/)
  })

  it('the server refuses endless headers, input that is not HTTP, and requests without a host', async () => {
    const large = await raw(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(2 ** 16)}\r\n\r\n`)
    await large.closed
    expect(large.read()).toMatch(/^(HTTP\/1.1 431 |$)/)
    for (const text of [
      '\u0016\u0003\u0001 hello\r\n\r\n',
      'GET /healthz HTTP/1.1\r\n\r\n',
      'GET /healthz HTTP/1.0\r\n\r\n'
    ]) {
      const strange = await raw(text)
      await strange.closed
      expect(strange.read()).toMatch(/^HTTP\/1.1 40[03] /)
    }
    for (const target of ['http://evil.example/healthz', '//evil.example/healthz', '/../healthz\\..', '*']) {
      const strange = await raw(`GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)
      await strange.closed
      expect(strange.read()).toMatch(/^HTTP\/1.1 40[03] /)
    }
  })

  it('the server checks the host in the target of a request and the host in each Host header', async () => {
    const sent = async (target: string, ...hosts: string[]): Promise<string> => {
      const lines = [`GET ${target} HTTP/1.1`, ...hosts.map(host => `Host: ${host}`), 'Connection: close']
      const strange = await raw(`${lines.join('\r\n')}\r\n\r\n`)
      await strange.closed
      return strange.read().slice(0, 12)
    }
    expect(await sent('http://localhost/healthz', 'localhost')).toBe('HTTP/1.1 200')
    expect(await sent('http://evil.example/healthz', 'localhost')).toBe('HTTP/1.1 403')
    expect(await sent('HTTP://localhost@evil.example/healthz', 'localhost')).toMatch(/^HTTP\/1.1 40[03]/)
    expect(await sent('/healthz', 'localhost', 'evil.example')).toBe('HTTP/1.1 403')
    expect(await sent('/healthz', 'evil.example', 'localhost')).toBe('HTTP/1.1 403')
  })

  it('the server serves at most 64 of a thousand concurrent event readers, and is ready after all readers disconnect', async () => {
    for (let i = 0; i < 1_000; i++) readers.push(new Reader(served.http.url))
    await vi.waitFor(() => expect(readers.filter(({ status, ended }) => status === undefined && !ended)).toEqual([]), {
      timeout: 60_000
    })
    expect(readers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(64)
    for (const reader of readers) expect([200, 503, undefined]).toContain(reader.status)
    for (const reader of readers.splice(0)) reader.close()
    await vi.waitFor(async () => expect((await served.ask('/metrics')).text).toContain('http_event_streams 0'), {
      timeout: 60_000
    })
    expect((await served.ask('/readyz')).status).toBe(200)
  })

  it('the server does not render /metrics anew for each of many concurrent requests', async () => {
    const look = vi.spyOn(served.peer, 'stats')
    const text = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const { read } = await raw(text.repeat(100) + text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    await vi.waitFor(() => expect(read().split('HTTP/1.1 200 OK')).toHaveLength(102), { timeout: 60_000 })
    expect(look.mock.calls.length).toBeLessThan(20)
    look.mockRestore()
  })

  it('the server answers an internal error without details, and logs the error', async () => {
    const logged = vi.fn()
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: logged }
    const http = await serveHttp(served.peer, { port: 0, logger })
    const broken = vi.spyOn(served.peer, 'stats').mockImplementation(() => {
      throw new TypeError('secret detail')
    })
    const { status, json, text } = await ask(http.url, '/metrics')
    broken.mockRestore()
    expect([status, json.error.name]).toEqual([500, 'InternalError'])
    expect(text).not.toMatch(/secret|TypeError|\.ts/)
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ error: expect.any(TypeError), path: '/metrics' }),
      expect.any(String)
    )
    await http.stop()
  })

  it('a truncated body is not logged as an internal error, with or without a Content-Length', async () => {
    const logged = vi.fn()
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: logged }
    const metrics = new PeerMetrics()
    const http = await serveHttp(served.peer, { port: 0, logger, metrics })
    for (const length of ['Content-Length: 1000\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{']) {
      const socket = connect(Number(new URL(http.url).port), '127.0.0.1')
      socket.write(
        `POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${http.token}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n${length}`
      )
      // The server has answered 100 and waits for the rest of the body.
      await new Promise(resolve => socket.once('data', resolve))
      socket.destroy()
    }
    await vi.waitFor(
      async () => expect((await ask(http.url, '/metrics')).text).toMatch(/route="\/api\/jobs",status="400"} 2\n/),
      { timeout: 60_000 }
    )
    expect(logged).not.toHaveBeenCalled()
    await http.stop()
  })

  it('an aborted signal stops the server, its streams and its idle connections', async () => {
    const controller = new AbortController()
    const http = await serveHttp(served.peer, { port: 0, signal: controller.signal })
    const reader = new Reader(http.url)
    await reader.until(() => expect(reader.events).toHaveLength(1))
    const { port } = new URL(http.url)
    const idle = connect(Number(port), '127.0.0.1')
    idle.on('error', () => {})
    const closed = new Promise(resolve => idle.once('close', resolve))
    idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await new Promise(resolve => idle.once('data', resolve))
    controller.abort()
    await reader.until(() => expect(reader.ended).toBe(true))
    await closed
    await http.stop()
    await expect(ask(http.url, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(serveHttp(served.peer, { port: 0, signal: controller.signal })).rejects.toThrow()
  })
})
