/**
 * The part of Kubernetes' API server that serves Leases, in memory, with its rules for versions, conflicts, watches and errors. It stands in for a
 * cluster, which the tests cannot have.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import pDefer from 'p-defer'

interface Stored {
  metadata: { name: string; namespace: string; uid: string; resourceVersion: string; annotations?: object }
  spec: { holderIdentity?: string; leaseDurationSeconds?: number; leaseTransitions?: number; renewTime?: string }
}

interface Change {
  version: number
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  object: Stored
}

interface Watcher {
  response: http.ServerResponse
  key: string
}

export interface KubernetesApiInit {
  host?: string
  port?: number
  /** The certificate and the key of the server. Default: it speaks plain HTTP. */
  tls?: https.ServerOptions
}

/** Go reads a time of the type MicroTime only with six digits after the point. */
const MICRO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const PATH = /^\/apis\/coordination\.k8s\.io\/v1\/namespaces\/([^/]+)\/leases(?:\/([^/]+))?$/

export class KubernetesApi {
  readonly namespaces = new Set(['default', 'lab'])
  /** The only token that the server accepts. Undefined: it asks for none. */
  token: string | undefined
  /** What no user may do, such as `update`. */
  readonly forbidden = new Set<string>()
  /** How many requests get 429, too many requests, and shall wait for a second. */
  busy = 0
  /** How many writes are carried out, but their connection ends instead of an answer. */
  lost = 0
  /** Whether requests get no answer at all. */
  hangs = false
  /** Whether watches say nothing and never end, as if their connections hung. */
  isSilent = false
  /** What the next write waits for. */
  #delay: Promise<void> | undefined
  /** Whether a watch of forgotten changes begins and then says so, as etcd does. Otherwise it does not begin, as with the cache of watches. */
  goneInStream = false
  /** The verbs of the requests so far, such as `list`. */
  readonly verbs: string[] = []
  readonly #server: http.Server
  readonly #leases = new Map<string, Stored>()
  readonly #history: Change[] = []
  readonly #watchers = new Set<Watcher>()
  #version = 41
  #forgotten = 0

  private constructor(server: http.Server) {
    this.#server = server
    server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
      this.#serve(request, response).catch(() => response.destroy())
    })
  }

  static async start({ host = '127.0.0.1', port = 0, tls }: KubernetesApiInit = {}): Promise<KubernetesApi> {
    const server = tls === undefined ? http.createServer() : https.createServer(tls)
    const api = new KubernetesApi(server)
    await once(server.listen(port, host), 'listening')
    return api
  }

  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo
    return `${this.#server instanceof https.Server ? 'https' : 'http'}://${address}:${port}`
  }

  get watchers(): number {
    return this.#watchers.size
  }

  lease(namespace: string, name: string): Stored | undefined {
    return this.#leases.get(`${namespace}/${name}`)
  }

  /** Deletes a Lease. */
  delete(namespace: string, name: string): void {
    const key = `${namespace}/${name}`
    const object = this.#leases.get(key)!
    this.#leases.delete(key)
    this.#change('DELETED', { ...object, metadata: { ...object.metadata, resourceVersion: this.#next() } })
  }

  /** Changes other objects, tells all watches up to which version they have seen everything, or forgets the changes so far. */
  advance({ bookmark = false, compact = false } = {}): void {
    this.#version += 10
    const object = { metadata: { resourceVersion: String(this.#version) } }
    if (bookmark) for (const { response } of this.#watchers) send(response, { type: 'BOOKMARK', object })
    if (compact) this.#forgotten = this.#version
  }

  /** Carries out the next write only when the returned function is called. */
  delayWrite(): () => void {
    const { promise, resolve } = pDefer<void>()
    this.#delay = promise
    return resolve
  }

  /** Ends all watches. */
  endWatches(): void {
    for (const { response } of this.#watchers) response.end()
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://api')
    const [, namespace = '', name] = PATH.exec(url.pathname) ?? []
    const isWatch = url.searchParams.get('watch') === '1'
    const verb = { GET: isWatch ? 'watch' : 'list', POST: 'create', PUT: 'update' }[request.method!] ?? 'other'
    this.verbs.push(verb)
    if (this.hangs) return
    if (namespace === '' || verb === 'other')
      return fail(response, 404, 'the server could not find the requested resource')
    if (this.token !== undefined && request.headers.authorization !== `Bearer ${this.token}`)
      return fail(response, 401, 'Unauthorized')
    if (this.forbidden.has(verb))
      return fail(response, 403, `leases.coordination.k8s.io is forbidden: User "lab" cannot ${verb} resource "leases"`)
    if (this.busy > 0) {
      this.busy -= 1
      response.setHeader('retry-after', '1')
      return fail(response, 429, 'the server has received too many requests and has asked us to try again later')
    }
    const selected = /^metadata\.name=(.+)$/.exec(url.searchParams.get('fieldSelector') ?? '')?.[1]
    if (verb === 'watch') return this.#watch(`${namespace}/${selected}`, url.searchParams, response)
    if (verb === 'list') {
      const found = this.#leases.get(`${namespace}/${selected}`)
      const metadata = { resourceVersion: String(this.#version) }
      return answer(response, 200, { kind: 'LeaseList', metadata, items: found === undefined ? [] : [found] })
    }
    const body = (await json(request)) as Stored
    const delay = this.#delay
    this.#delay = undefined
    await delay
    const written = this.#write(namespace, name, body)
    if (this.lost > 0) {
      this.lost -= 1
      return void response.destroy()
    }
    if ('code' in written) fail(response, written.code, written.message)
    else answer(response, name === undefined ? 201 : 200, written)
  }

  /** Carries out a POST, or a PUT if it has the name in its path. */
  #write(namespace: string, path: string | undefined, body: Stored): Stored | { code: number; message: string } {
    const { metadata, spec } = body
    const { name, uid, resourceVersion } = metadata
    const key = `${namespace}/${name}`
    const present = this.#leases.get(key)
    if (!this.namespaces.has(namespace)) return { code: 404, message: `namespaces "${namespace}" not found` }
    if (spec.renewTime !== undefined && !MICRO_TIME.test(spec.renewTime))
      return { code: 400, message: `parsing time "${spec.renewTime}": cannot parse` }
    if (!(spec.leaseDurationSeconds! > 0) || spec.leaseTransitions! < 0 || (path ?? name) !== name)
      return { code: 422, message: 'Lease is invalid' }
    if (path === undefined) {
      if (resourceVersion !== undefined)
        return { code: 500, message: 'resourceVersion should not be set on objects to be created' }
      if (present !== undefined) return { code: 409, message: `leases "${name}" already exists` }
    } else if (present === undefined) {
      // A PUT can create a Lease. If it has a uid, this is the uid of another one.
      if (uid !== undefined) return { code: 409, message: 'Precondition failed: UID in precondition' }
    } else {
      if (resourceVersion === undefined)
        return { code: 422, message: 'resourceVersion must be specified for an update' }
      if (uid !== undefined && uid !== present.metadata.uid)
        return { code: 409, message: 'Precondition failed: UID in precondition' }
      if (resourceVersion !== present.metadata.resourceVersion)
        return {
          code: 409,
          message: 'the object has been modified; please apply your changes to the latest version and try again'
        }
      // A write that changes nothing makes no new version.
      const unchanged = { ...body, metadata: { ...metadata, uid: present.metadata.uid } }
      if (isDeepStrictEqual(unchanged, present)) return present
    }
    const made = { ...metadata, namespace, uid: present?.metadata.uid ?? randomUUID(), resourceVersion: this.#next() }
    const object = { ...body, metadata: made }
    this.#leases.set(key, object)
    this.#change(present === undefined ? 'ADDED' : 'MODIFIED', object)
    return object
  }

  #watch(key: string, query: URLSearchParams, response: http.ServerResponse): void {
    const from = Number(query.get('resourceVersion'))
    const isGone = from < this.#forgotten
    if (isGone && !this.goneInStream) {
      fail(response, 410, `too old resource version: ${from}`)
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    if (isGone) {
      const object = { kind: 'Status', code: 410, message: 'The resourceVersion is too old' }
      response.end(`${JSON.stringify({ type: 'ERROR', object })}\n`)
      return
    }
    response.flushHeaders()
    for (const { version, type, object } of this.#history)
      if (version > from && keyOf(object) === key) send(response, { type, object })
    const watcher = { response, key }
    this.#watchers.add(watcher)
    const end = (): unknown => !this.isSilent && response.end()
    const timer = setTimeout(end, 1_000 * Number(query.get('timeoutSeconds')))
    response.on('close', () => {
      clearTimeout(timer)
      this.#watchers.delete(watcher)
    })
  }

  #next(): string {
    this.#version += 1
    return String(this.#version)
  }

  #change(type: Change['type'], object: Stored): void {
    this.#history.push({ version: this.#version, type, object })
    if (this.isSilent) return
    for (const { response, key } of this.#watchers) if (key === keyOf(object)) send(response, { type, object })
  }
}

function keyOf({ metadata }: Stored): string {
  return `${metadata.namespace}/${metadata.name}`
}

function send(response: http.ServerResponse, event: object): void {
  response.write(`${JSON.stringify(event)}\n`)
}

function answer(response: http.ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function fail(response: http.ServerResponse, code: number, message: string): void {
  answer(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code })
}
