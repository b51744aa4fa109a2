import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { builtFile } from '../../src/common/built-file.ts'
import { version } from '../../src/common/version.ts'
import { type AppParts, createApp, methodsByPath } from '../../src/http/app.ts'
import { PeerMetrics } from '../../src/http/metrics.ts'
import { problemsOf, type Schema } from './schema.ts'
import { type Answer, type Asked, BYTES, ENDLESS, FAILS, Served, SUM } from './served.ts'

/** A task whose result is small in memory because of shared references, but huge as JSON. */
const SHARED = `export default { split: () => [0], run: () => 0,
  finish: () => { let x = 'end'; for (let i = 0; i < 30; i++) x = [x, x]; return x } }`

interface Content {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}
interface Reply {
  headers?: Record<string, unknown>
  content?: Record<string, Content>
}
interface Operation {
  operationId: string
  security?: unknown[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, Reply | { $ref: string }>
}

const text = readFileSync(fileURLToPath(new URL('../../docs/openapi.yaml', import.meta.url)), 'utf8')
// biome-ignore lint/suspicious/noExplicitAny: the YAML has no type
const file: any = parse(text)
const page = readFileSync(builtFile('http/dashboard/index.html'), 'utf8')

function resolve<T>(ref: string): T {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .reduce((node, name) => node[name], file)
}

function deref<T extends object>(node: T | { $ref: string }): T {
  return '$ref' in node ? resolve<T>(node.$ref as string) : node
}

const METHODS = ['get', 'post', 'delete', 'put', 'patch'] as const
const operations = Object.entries<Record<string, Operation>>(file.paths).flatMap(([path, item]) =>
  METHODS.flatMap(method => (item[method] === undefined ? [] : [{ path, method, operation: item[method] }]))
)

/** Returns an existing path for a route: the path of a job, or the path of a dashboard file that the page names. */
function placeOf(path: string): string {
  return path
    .replace('{id}', 'sum')
    .replace('{name}', 'mine')
    .replace('{session}', 'none')
    .replace('{file}', /app-\w+\.js/.exec(page)?.[0] ?? '')
}

/** The answers that the tests have seen, in the form `get /healthz 200`. */
const seen = new Set<string>()
let served: Served

/** Sends a request, and checks the answer against docs/openapi.yaml. */
async function checked(method: string, path: string, at: string, asked: Asked = {}): Promise<Answer> {
  const answer = await served.ask(at, { method: method.toUpperCase(), ...asked })
  const operation = operations.find(other => other.path === path && other.method === method)?.operation
  const reply = operation?.responses[answer.status]
  expect(reply, `${method} ${path} answered ${answer.status}: ${answer.text}`).toBeDefined()
  const { content = {}, headers = {} } = deref<Reply>(reply!)
  const type = answer.headers['content-type']?.split(';')[0] ?? ''
  if (answer.status === 204) expect([content, answer.text]).toEqual([{}, ''])
  else {
    expect(Object.keys(content)).toContain(type)
    const value = type === 'application/json' ? answer.json : answer.text
    expect(problemsOf(value, content[type]!.schema, resolve)).toEqual([])
  }
  for (const name of Object.keys(headers)) expect(answer.headers).toHaveProperty(name.toLowerCase())
  expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
  // Browsers may cache only the files of the dashboard.
  const isPage = (path === '/' || path.startsWith('/dashboard/')) && answer.status === 200
  if (!isPage) expect(answer.headers['cache-control']).toBe('no-store')
  seen.add(`${method} ${path} ${answer.status}`)
  return answer
}

beforeAll(async () => {
  served = await Served.start()
  await served.leads()
})

afterAll(() => served.stop())

describe('docs/openapi.yaml', () => {
  it('docs/openapi.yaml has exactly the routes of the server', () => {
    const names = new Set<string>()
    const app = createApp({ peer: served.peer, metrics: new PeerMetrics(), names } as unknown as AppParts)
    const routes = [...methodsByPath(app)].flatMap(([path, methods]) =>
      methods.flatMap(method =>
        method === 'HEAD' ? [] : [`${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`]
      )
    )
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(routes.sort())
  })

  it('docs/openapi.yaml names the version of the package, and the server serves docs/openapi.yaml unchanged', async () => {
    expect(file.info.version).toBe(version)
    const { text: given } = await checked('get', '/api/openapi.yaml', '/api/openapi.yaml')
    expect(given).toBe(text)
  })

  it('the examples of docs/openapi.yaml fit their schemas, and every reference resolves', () => {
    let examples = 0
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      if ('$ref' in node) expect(resolve(node.$ref as string), node.$ref as string).toBeDefined()
      if ('schema' in node) {
        const { schema, example, examples: named = {} } = node as Content
        for (const value of [example, ...Object.values(named).map(one => one.value)]) {
          if (value === undefined) continue
          examples += 1
          expect(problemsOf(value, schema, resolve)).toEqual([])
        }
      }
      for (const child of Object.values(node)) visit(child)
    }
    visit(file.paths)
    visit(file.components.responses)
    expect(examples).toBeGreaterThan(10)
  })

  it('the answers to requests with the token match docs/openapi.yaml', async () => {
    const token = served.http.token
    for (const path of ['/healthz', '/readyz', '/metrics', '/api/status']) await checked('get', path, path)
    const post = (body: object): Promise<Answer> =>
      checked('post', '/api/jobs', '/api/jobs', { token, body: JSON.stringify(body) })
    const submission = { source: SUM, input: { numbers: [1, 2] }, options: { id: 'sum' } }
    const schema = file.components.schemas.Submission
    expect(problemsOf(submission, schema, resolve)).toEqual([])
    await post(submission)
    await checked('get', '/api/jobs/{id}/result', '/api/jobs/sum/result?wait=60', { token })
    await checked('get', '/api/jobs', '/api/jobs', { token })
    await checked('get', '/api/chunks/{id}', '/api/chunks/sum')
    await checked('get', '/api/chunks/{id}', '/api/chunks/none')
    await checked('get', '/api/chunks/{id}', '/api/chunks/%20')
    await checked('get', '/api/jobs/{id}', '/api/jobs/sum', { token })
    await post({ source: BYTES, options: { id: 'bytes' } })
    await checked('get', '/api/jobs/{id}/result', '/api/jobs/bytes/result?wait=60', { token })
    await post({ source: ENDLESS, options: { id: 'endless' } })
    await checked('get', '/api/jobs/{id}/result', '/api/jobs/endless/result', { token })
    await checked('delete', '/api/jobs/{id}', '/api/jobs/endless', { token })
    await checked('post', '/api/jobs/{id}/resume', '/api/jobs/endless/resume', { token })
    await post({ source: FAILS, options: { id: 'fails' } })
    expect((await checked('get', '/api/jobs/{id}/result', '/api/jobs/fails/result?wait=60s', { token })).status).toBe(
      409
    )
    await post({ source: SUM, input: { numbers: [1] }, options: { id: 'gone', keep: 0 } })
    await expect
      .poll(async () => (await served.own('/api/jobs/gone/result?wait=1')).status)
      .toSatisfy(status => status === 410 || status === 404)
    await checked('get', '/api/jobs/{id}/result', '/api/jobs/gone/result', { token })
    expect((await post({ source: SUM, input: { numbers: [1] }, options: { id: 'gone', keep: 0 } })).status).toBe(410)
    await post({ source: SHARED, options: { id: 'shared' } })
    expect((await checked('get', '/api/jobs/{id}/result', '/api/jobs/shared/result?wait=60', { token })).status).toBe(
      413
    )
    expect((await post({ source: BYTES, options: { id: 'sum' } })).status).toBe(409)
    const later = { source: SUM, options: { id: 'later', at: Date.now() + 3_600_000 } }
    const held = await post({ ...later, input: { numbers: [1] } })
    expect(held.json.durability).toEqual({ memory: 1, disk: 0 })
    expect((await post({ ...later, input: { numbers: [2] } })).status).toBe(409)
    const notDurable = await post({ source: SUM, options: { durable: 1 } })
    expect(notDurable).toMatchObject({ status: 507, json: { error: { disks: 0, durable: 1 } } })
    expect((await post({ task: '/none.ts' })).status).toBe(422)
    expect((await post({ source: SUM, options: { retries: -1 } })).status).toBe(400)
    await checked('post', '/api/jobs', '/api/jobs', { token, body: '{}', headers: { 'Content-Type': 'text/plain' } })
    await checked('post', '/api/jobs', '/api/jobs', { token, body: JSON.stringify({ source: 'x'.repeat(2 ** 25) }) })
    for (const [method, path] of [
      ['get', '/api/jobs/{id}'],
      ['delete', '/api/jobs/{id}'],
      ['post', '/api/jobs/{id}/resume'],
      ['get', '/api/jobs/{id}/result']
    ] as const) {
      await checked(method, path, path.replace('{id}', 'none'), { token })
      await checked(method, path, path.replace('{id}', '%20'), { token })
    }
  })

  it('the answers to requests for locks match docs/openapi.yaml', async () => {
    const token = served.http.token
    const post = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
      checked('post', '/api/locks/{name}', '/api/locks/a%2Fb', { token, body: JSON.stringify(body), headers })
    const example = { limit: 1, ttl: 1_000, wait: 0, owner: 'me' }
    expect(problemsOf(example, file.components.schemas.LockRequest, resolve)).toEqual([])
    const at = (await post(example)).headers.location!
    const waits = new AbortController()
    const waiting = served.peer.lock('a/b', { signal: waits.signal }).catch(() => {})
    await expect
      .poll(async () => (await checked('get', '/api/locks', '/api/locks')).json[0])
      .toMatchObject({ holders: [{ owner: 'me' }], waiters: [{ client: served.peer.id }] })
    waits.abort()
    await waiting
    expect((await post({ wait: 0 })).status).toBe(409)
    expect((await post({ ttl: 1 })).status).toBe(400)
    expect((await post({ owner: 'x'.repeat(2 ** 15) })).status).toBe(413)
    expect((await post({}, { 'Content-Type': 'text/plain' })).status).toBe(415)
    const session = '/api/locks/{name}/sessions/{session}'
    await checked('put', session, at, { token })
    await checked('delete', session, at, { token })
    expect((await checked('put', session, at, { token })).status).toBe(410)
  })

  it('the answers to requests for schedules match docs/openapi.yaml', async () => {
    const token = served.http.token
    const path = '/api/schedules'
    const post = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
      checked('post', path, path, { token, body: JSON.stringify(body), headers })
    const options = { timeZone: 'UTC', missed: 'all', overlap: 'queue', catchUp: 9, jitter: 10, keep: 1_000 }
    const request = { name: 'mine', cron: '0 3 1 1 *', source: SUM, input: { numbers: [1] }, options }
    expect(problemsOf(request, file.components.schemas.ScheduleRequest, resolve)).toEqual([])
    expect((await post(request)).status).toBe(201)
    expect((await post(request)).status).toBe(409)
    expect((await post({ ...request, cron: '61 * * * *' })).status).toBe(400)
    expect((await post({ ...request, source: 'x'.repeat(2 ** 25) })).status).toBe(413)
    expect((await post(request, { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await post({ ...request, name: 'other', source: 'export default {' })).status).toBe(422)
    for (const name of ['mine', 'none']) {
      for (const action of ['pause', 'resume', 'run'])
        await checked('post', `${path}/{name}/${action}`, `${path}/${name}/${action}`, { token })
      await expect
        .poll(async () => (await checked('get', `${path}/{name}`, `${path}/${name}`)).json.last?.state)
        .toBe(name === 'mine' ? 'completed' : undefined)
      await checked('get', path, path)
      await checked('delete', `${path}/{name}`, `${path}/${name}`, { token })
    }
  })

  it('docs/openapi.yaml states which routes need the token, and all routes refuse cross-site requests', async () => {
    for (const { method, path, operation } of operations) {
      const at = placeOf(path)
      const answer = await checked(method, path, at, { headers: { Origin: 'http://evil.example' } })
      expect(answer.status).toBe(403)
      if (path === '/api/events' || path === '/api/chunks/{id}') continue
      expect((await served.ask(at, { method: method.toUpperCase() })).status === 401).toBe(
        operation.security === undefined
      )
      if (operation.security === undefined) await checked(method, path, at)
    }
  })

  it('the answers of a peer without a leader and of a peer that left match docs/openapi.yaml', async () => {
    await served.stop()
    served = await Served.start({ role: 'worker', cluster: `http-alone-${process.pid}` })
    const token = served.http.token
    for (const { method, path } of operations) {
      const at = placeOf(path)
      // These routes answer with an endless stream.
      if (path === '/api/events' || path === '/api/chunks/{id}') continue
      const lock = path.startsWith('/api/locks')
      const schedule = path.startsWith('/api/schedules')
      const fields = lock ? {} : schedule ? { name: 'mine', cron: '0 3 * * *', source: SUM } : { source: SUM }
      const body = method === 'post' ? JSON.stringify(fields) : undefined
      const answer = await checked(method, path, at, { token, ...(body === undefined ? {} : { body }) })
      // A session needs no leader.
      const ofSession = { put: 410, delete: 204 }[method as string]
      const expected = lock
        ? (ofSession ?? 503)
        : schedule || at.startsWith('/api/jobs') || at === '/readyz'
          ? 503
          : 200
      expect([method, at, answer.status]).toEqual([method, at, expected])
    }
    await served.peer.leave()
    await checked('get', '/readyz', '/readyz')
    await checked('get', '/api/status', '/api/status')
  })

  it('the tests have seen every answer of docs/openapi.yaml except a fixed list of answers', () => {
    const listed = operations.flatMap(({ method, path, operation }) =>
      Object.keys(operation.responses).map(status => `${method} ${path} ${status}`)
    )
    expect(listed.filter(answer => !seen.has(answer))).toEqual([
      // dashboard-files.test.ts covers 304 and 404. The server sends 503 only before the peer has started.
      'get / 304',
      'get / 503',
      'get /dashboard/{file} 304',
      'get /dashboard/{file} 404',
      'get /dashboard/{file} 503',
      // The server sends these answers only before the peer has started or after the peer has left (server.test.ts).
      'get /healthz 503',
      'get /metrics 503',
      // events.test.ts covers this stream.
      'get /api/events 200',
      'get /api/events 400',
      'get /api/events 503',
      // chunks.test.ts covers this stream.
      'get /api/chunks/{id} 503',
      'get /api/openapi.yaml 503',
      // problem.test.ts covers these answers.
      'post /api/schedules 507',
      'post /api/schedules/{name}/run 507',
      // locks.test.ts covers these answers, and the server sends 503 for a session as for /healthz.
      'post /api/locks/{name} 200',
      'post /api/locks/{name} 429',
      'delete /api/locks/{name}/sessions/{session} 503',
      'put /api/locks/{name}/sessions/{session} 503'
    ])
  })
})
