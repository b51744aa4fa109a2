/** The routes of the HTTP API. docs/openapi.yaml describes their requests and answers, and a test compares the routes with this file. */
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { routePath } from 'hono/route'
import { checkJobId } from '../api/options.ts'
import { jobsJson, schedulesJson, statusJson } from '../api/status-json.ts'
import type { Peer } from '../api/types.ts'
import { InvalidOptionError, NoClusterError, NoSuchJobError, StoppedError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { ChunkFeed } from './chunk-feed.ts'
import { DashboardFiles } from './dashboard-files.ts'
import type { EventFeed } from './event-feed.ts'
import { guard, SECURITY_HEADERS } from './guard.ts'
import { type HttpJobs, LONGEST_WAIT_S } from './jobs.ts'
import { parseLockRequest } from './lock-request.ts'
import type { HttpLocks } from './locks.ts'
import type { PeerMetrics } from './metrics.ts'
import { AGAIN, answerTo, HttpProblem } from './problem.ts'
import { checkOwnConnection } from './readers.ts'
import type { ResultBodies } from './result-bodies.ts'
import type { HttpSchedules } from './schedules.ts'
import { Shared } from './shared.ts'
import type { SharedStatus } from './shared-status.ts'
import { parseSchedule, parseSubmission } from './submission.ts'
import { bearerOf, isToken } from './token.ts'

/** The largest body of a submission, in bytes. */
export const MOST_BODY = 32 * 2 ** 20
/** The largest body of a request for a lock, in bytes. */
const MOST_LOCK_BODY = 16 * 2 ** 10
/** The values of the metrics' method label. Other methods share one value, because clients can invent them. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH']

export interface AppParts {
  peer: Peer
  token: string
  /** The host names that the API accepts in requests. */
  names: ReadonlySet<string>
  metrics: PeerMetrics
  feed: EventFeed
  chunks: ChunkFeed
  status: SharedStatus
  jobs: HttpJobs
  locks: HttpLocks
  schedules: HttpSchedules
  results: ResultBodies
  /** Whether the peer is about to leave. */
  isLeaving(): boolean
  logger: Logger
}

interface Env {
  Bindings: HttpBindings
}

export type App = Hono<Env>

export function createApp(parts: AppParts): App {
  const { peer, metrics, feed, chunks, status, jobs, locks, schedules, results, logger } = parts
  // A connection may send hundreds of requests at once. If each request rendered the metrics, the peer would be blocked for seconds.
  const rendered = new Shared(async () => await metrics.render(peer.stats()))
  const app = new Hono<Env>()

  app.use(async (c, next) => {
    await next()
    // The dashboard sets its own content security policy.
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) if (!c.res.headers.has(name)) c.header(name, value)
    const { method } = c.env.incoming
    metrics.answered(METHODS.includes(method ?? '') ? (method as string) : 'other', routePath(c, -1), c.res.status)
  })
  app.use(guard(parts.names))

  const dashboard = new DashboardFiles()
  app.get('/', async c => await dashboard.page(c))
  app.get('/dashboard/:file', async c => await dashboard.part(c, c.req.param('file')))
  app.get('/healthz', c => c.json({ status: 'ok' }))
  app.get('/readyz', async c => {
    const reason = await whyNotReady(parts)
    if (reason !== undefined) return c.json({ status: 'not ready', reason }, 503, AGAIN)
    return c.json({ status: 'ready', leader: peer.leader?.id ?? null, epoch: peer.leader?.epoch ?? null })
  })
  app.get('/metrics', async c => {
    const { contentType, text } = await rendered.get()
    return c.body(text, 200, { 'Content-Type': contentType })
  })
  app.get('/api/status', async c => c.json(statusJson(await status.get())))
  const stream = (c: Context<Env>, subscribe: (response: ServerResponse) => void): Response => {
    const { incoming, outgoing } = c.env
    if (incoming.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
    if (parts.isLeaving()) throw leaving()
    subscribe(outgoing as ServerResponse)
    return RESPONSE_ALREADY_SENT
  }
  app.get('/api/events', c => stream(c, response => feed.subscribe(response)))
  app.get('/api/chunks/:id', c => {
    const id = c.req.param('id')
    checkJobId(id)
    return stream(c, response => chunks.subscribe(id, response))
  })
  app.get('/api/openapi.yaml', async c => {
    const text = await readFile(new URL('../../docs/openapi.yaml', import.meta.url), 'utf8')
    return c.body(text, 200, { 'Content-Type': 'application/yaml; charset=utf-8' })
  })

  app.use('/api/jobs', owner(parts))
  app.use('/api/jobs/*', owner(parts))
  app.get('/api/jobs', async c => c.json(jobsJson((await withLeader(status)).jobs)))
  app.post('/api/jobs', onlyJson, limitBody(MOST_BODY, SUBMISSION_TOO_LARGE), async c => {
    if (parts.isLeaving()) throw leaving()
    const answer = await jobs.submit(parseSubmission(await c.req.text()))
    return c.json(answer, 201, { Location: `/api/jobs/${answer.jobId}` })
  })
  app.get('/api/jobs/:id', async c => {
    const id = c.req.param('id')
    checkJobId(id)
    const { jobs: all } = await withLeader(status)
    const [job] = jobsJson(all.filter(({ jobId }) => jobId === id))
    if (job === undefined) throw new NoSuchJobError(id, undefined)
    return c.json(job)
  })
  app.delete('/api/jobs/:id', async c => c.json(await jobs.cancel(c.req.param('id'))))
  app.post('/api/jobs/:id/resume', async c => c.json(await jobs.resume(c.req.param('id'))))
  app.get('/api/jobs/:id/result', async c => {
    const { signal } = c.req.raw
    const { state, encoded } = await jobs.outcome(c.req.param('id'), waitOf(c.req.query('wait')), signal)
    if (encoded === undefined) return c.json({ jobId: c.req.param('id'), state }, 202)
    const { type, body } = await results.bodyOf(encoded, signal)
    // Writes the bytes directly, because a Response would copy the bytes.
    c.env.outgoing.writeHead(200, { ...SECURITY_HEADERS, 'Content-Type': type, 'Content-Length': body.byteLength })
    c.env.outgoing.end(body)
    return RESPONSE_ALREADY_SENT
  })

  app.get('/api/schedules', async c => c.json(schedulesJson(await schedules.list())))
  app.get('/api/schedules/:name', async c => c.json(schedulesJson([await schedules.get(c.req.param('name'))])[0]))
  app.use('/api/schedules/*', owner(parts))
  app.post('/api/schedules', onlyJson, limitBody(MOST_BODY, SUBMISSION_TOO_LARGE), async c => {
    if (parts.isLeaving()) throw leaving()
    const info = await schedules.add(parseSchedule(await c.req.text()))
    return c.json(schedulesJson([info])[0], 201, { Location: `/api/schedules/${info.name}` })
  })
  app.delete('/api/schedules/:name', async c => {
    await schedules.remove(c.req.param('name'))
    return c.body(null, 204)
  })
  for (const action of ['pause', 'resume'] as const) {
    app.post(`/api/schedules/:name/${action}`, async c =>
      c.json(schedulesJson([await schedules[action](c.req.param('name'))])[0])
    )
  }
  app.post('/api/schedules/:name/run', async c => {
    const jobId = await schedules.run(c.req.param('name'))
    return c.json({ jobId, state: 'accepted' }, 201, { Location: `/api/jobs/${jobId}` })
  })

  app.get('/api/locks', async c => c.json(await locks.list()))
  app.use('/api/locks/:name/*', owner(parts))
  app.post('/api/locks/:name', onlyJson, limitBody(MOST_LOCK_BODY, LOCK_TOO_LARGE), async c => {
    const name = c.req.param('name')
    const owner = `an HTTP client at ${c.env.incoming.socket.remoteAddress}`
    const request = { owner, ...parseLockRequest(await c.req.text()) }
    const response = c.env.outgoing as ServerResponse
    if (parts.isLeaving()) throw leaving()
    checkOwnConnection(response, 'locks need')
    if (c.req.header('accept')?.includes('text/event-stream') === true) {
      await locks.stream(name, request, response, c.req.raw.signal)
      return RESPONSE_ALREADY_SENT
    }
    const granted = await locks.open(name, request, c.req.raw.signal)
    return c.json(granted, 201, { Location: `/api/locks/${encodeURIComponent(name)}/sessions/${granted.session}` })
  })
  app.put('/api/locks/:name/sessions/:session', c => c.json(locks.renew(c.req.param('name'), c.req.param('session'))))
  app.delete('/api/locks/:name/sessions/:session', async c => {
    await locks.release(c.req.param('name'), c.req.param('session'))
    return c.body(null, 204)
  })

  for (const [path, methods] of methodsByPath(app)) {
    app.all(path, () => {
      const allow = methods.join(', ')
      throw new HttpProblem(405, 'MethodNotAllowed', `this path allows only ${allow}`, { Allow: allow })
    })
  }
  app.notFound(() => {
    throw new HttpProblem(404, 'NoSuchRoute', 'there is no such path: /api/openapi.yaml lists all paths')
  })
  app.onError((error, c) => {
    const answer = answerTo(error)
    if (answer !== undefined) return c.json(answer.body, answer.status, answer.headers)
    if (isCutOff(c.env.incoming)) {
      // The client has disconnected, so nobody reads this answer.
      return c.json({ error: { name: 'CutOffError', message: 'the request ended before its body did' } }, 400)
    }
    logger.error({ error, method: c.req.method, path: c.req.path }, 'a request to the HTTP API failed')
    return c.json(
      { error: { name: 'InternalError', message: 'this is a bug of the peer: its log has the details' } },
      500
    )
  })
  return app
}

/** Returns the methods of each path, without middleware. */
export function methodsByPath(app: App): Map<string, string[]> {
  const found = new Map<string, Set<string>>()
  for (const { method, path } of app.routes) {
    if (method === 'ALL') continue
    const methods = found.get(path) ?? new Set()
    found.set(path, methods.add(method))
    if (method === 'GET') methods.add('HEAD')
  }
  return new Map([...found].map(([path, methods]) => [path, [...methods]]))
}

async function whyNotReady({ peer, isLeaving }: AppParts): Promise<string | undefined> {
  const own = peer.members().find(({ id }) => id === peer.id)
  if (isLeaving() || own?.state === 'left') return 'it is leaving'
  // A peer that has a leader has joined the other peers, or has found no other peer.
  if (peer.leader !== undefined) return undefined
  const { noLeader } = await peer.status()
  return noLeader
}

/** Returns the status. Throws if there is no leader, because only a leader knows the jobs. */
async function withLeader(status: SharedStatus): ReturnType<SharedStatus['get']> {
  const seen = await status.get()
  if (seen.noLeader !== undefined) throw new NoClusterError(`there is no leader to ask for the jobs: ${seen.noLeader}`)
  return seen
}

/** Admits only requests with the token. */
function owner({ token, logger }: AppParts): MiddlewareHandler<Env> {
  return async (c, next) => {
    const given = bearerOf(c.req.header('authorization'))
    if (given === undefined || !isToken(given, token)) {
      const from = c.env.incoming.socket.remoteAddress
      logger.debug({ from, path: c.req.path }, 'a request to the HTTP API without its token was refused')
      const what = given === undefined ? 'this needs the token of this peer' : 'this is not the token of this peer'
      throw new HttpProblem(
        401,
        'Unauthorized',
        `${what}: Authorization: Bearer TOKEN, from the file that \`join\` names`,
        {
          'WWW-Authenticate': 'Bearer'
        }
      )
    }
    await next()
  }
}

function isCutOff({ destroyed, complete }: HttpBindings['incoming']): boolean {
  return destroyed && !complete
}

/**
 * Admits only JSON bodies. A page of another site can send text and forms without a preflight request, but cannot send JSON.
 */
const onlyJson: MiddlewareHandler<Env> = async (c, next) => {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new HttpProblem(415, 'UnsupportedMediaType', 'the body must be JSON: Content-Type: application/json')
  await next()
}

const SUBMISSION_TOO_LARGE = `a submission has at most ${MOST_BODY} bytes: let \`split\` read larger inputs where the peers are, or use \`p2p-worker run\``
const LOCK_TOO_LARGE = `a request for a lock has at most ${MOST_LOCK_BODY} bytes`

function limitBody(maxSize: number, message: string): MiddlewareHandler<Env> {
  const onError = (): never => {
    throw new HttpProblem(413, 'BodyTooLarge', message)
  }
  return bodyLimit({ maxSize, onError })
}

function leaving(): StoppedError {
  return new StoppedError('this peer is leaving: ask another one')
}

/** Returns the wait time from the query, in ms. */
function waitOf(text: string | undefined): number {
  if (text === undefined) return 0
  const seconds = /^\d{1,3}s?$/.test(text) ? Number.parseInt(text, 10) : Number.NaN
  if (!(seconds <= LONGEST_WAIT_S))
    throw new InvalidOptionError(`\`wait\` must be a whole number of seconds up to ${LONGEST_WAIT_S}`)
  return seconds * 1_000
}
