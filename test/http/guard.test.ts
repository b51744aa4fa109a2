import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InvalidOptionError } from '../../src/common/errors.ts'
import { isCrossSite, isOwnHost, ownNames } from '../../src/http/guard.ts'
import { Served } from './served.ts'

const names = ownNames(['Peer.Example'])

describe('the Host header of a request', () => {
  it.each([
    '127.0.0.1:8080',
    '127.0.0.1',
    '192.0.2.7:80',
    '[::1]:8080',
    '[2001:db8::1]',
    'localhost:8080',
    'LOCALHOST',
    `${hostname()}:8080`,
    'peer.example:8080',
    'peer.example.'
  ])('a Host header names this peer: %s', host => {
    expect(isOwnHost(host, names)).toBe(true)
  })

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    'sub.localhost',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    'evil.example#127.0.0.1',
    '[evil.example]:80',
    '[::1]evil.example',
    '127.1',
    '0x7f.1',
    '2130706433',
    'localhost:80:80',
    'localhost:',
    'peer.example.evil'
  ])('a Host header does not name this peer: %s', host => {
    expect(isOwnHost(host, names)).toBe(false)
  })
})

describe('an allowed host', () => {
  it('an allowed host may be upper case, end with a dot or be an IP address', () => {
    const allowed = ownNames(['Fully.Example.', '[::1]', '192.0.2.7'])
    for (const host of ['fully.example:8080', 'fully.example.', '[::1]:80']) expect(isOwnHost(host, allowed)).toBe(true)
  })

  it.each(['', '*.example', 'peer.example:8080', 'http://peer.example', 'a b', 'peer.example/x'])(
    'an allowed host that is not a valid host name is refused: %j',
    name => {
      expect(() => ownNames([name])).toThrow(InvalidOptionError)
    }
  )
})

describe('the origin of a request', () => {
  const host = '127.0.0.1:8080'

  it.each([
    {},
    { fetchSite: 'none' },
    { fetchSite: 'same-origin', origin: 'http://127.0.0.1:8080' },
    { origin: 'https://127.0.0.1:8080' }
  ])('a request is not cross-site: %o', headers => {
    expect(isCrossSite({ host, origin: undefined, fetchSite: undefined, ...headers })).toBe(false)
  })

  it.each([
    { fetchSite: 'cross-site' },
    { fetchSite: 'same-site' },
    { fetchSite: 'same-origin', origin: 'http://evil.example' },
    { fetchSite: 'something else' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1' },
    { origin: 'http://127.0.0.1:8081' },
    { origin: 'http://127.0.0.1:8080.evil.example' }
  ])('a request is cross-site: %o', headers => {
    expect(isCrossSite({ host, origin: undefined, fetchSite: undefined, ...headers })).toBe(true)
  })
})

describe('a peer', () => {
  let served: Served

  beforeAll(async () => {
    served = await Served.start({}, { allowedHosts: ['peer.example'] })
    await served.leads()
  })

  afterAll(() => served.stop())

  const PATHS = [
    '/healthz',
    '/readyz',
    '/metrics',
    '/api/status',
    '/api/events',
    '/api/jobs',
    '/api/openapi.yaml',
    '/none'
  ]

  it.each(PATHS)(
    'a peer refuses a rebound DNS name, a cross-site request and a cross-site preflight: %s',
    async path => {
      const token = served.http.token
      const rebound = await served.ask(path, { token, headers: { Host: 'evil.example' } })
      expect([rebound.status, rebound.json.error.name]).toEqual([403, 'HostRefused'])
      const crossSite = await served.ask(path, { token, headers: { 'Sec-Fetch-Site': 'cross-site' } })
      expect([crossSite.status, crossSite.json.error.name]).toEqual([403, 'CrossSiteRefused'])
      const preflight = await served.ask(path, {
        method: 'OPTIONS',
        headers: { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' }
      })
      expect(preflight.status).toBe(403)
      for (const { headers } of [rebound, crossSite, preflight]) {
        expect(Object.keys(headers).filter(name => name.startsWith('access-control-'))).toEqual([])
        expect(headers).toMatchObject({
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff'
        })
      }
    }
  )

  it('a peer serves the dashboard to a link from another site, but not to a frame or script of that site', async () => {
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
    const status = async (path: string, headers: Record<string, string>): Promise<number> =>
      (await served.ask(path, { headers: { ...link, ...headers } })).status
    expect(await status('/', {})).toBe(200)
    expect(await status('/', { 'Sec-Fetch-Dest': 'iframe' })).toBe(403)
    expect(await status('/', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' })).toBe(403)
    expect(await status('/', { Host: 'evil.example' })).toBe(403)
    expect(await status('/api/status', {})).toBe(403)
  })

  it('a peer answers requests with an allowed host and requests of its own pages', async () => {
    expect((await served.ask('/api/status', { headers: { Host: 'peer.example' } })).status).toBe(200)
    expect((await served.ask('/api/status', { headers: { 'Sec-Fetch-Site': 'same-origin' } })).status).toBe(200)
  })

  it('a peer answers a request with an unsupported method by listing the allowed methods', async () => {
    for (const method of ['OPTIONS', 'PUT', 'TRACE', 'DELETE', 'BREW']) {
      const { status, headers } = await served.own('/api/jobs', { method })
      if (method === 'BREW') expect(status).toBe(400)
      else expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD, POST'])
    }
    expect((await served.own('/none')).json.error.name).toBe('NoSuchRoute')
  })
})
