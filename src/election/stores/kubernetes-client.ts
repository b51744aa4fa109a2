/** Reads, writes and follows one Lease of Kubernetes (https://kubernetes.io/docs/reference/using-api/api-concepts/). */
import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import { text } from 'node:stream/consumers'
import { ElectionStoreError } from '../../common/errors.ts'
import { allowManyListeners, delay } from '../../lib/abort.ts'
import { jsonLines } from './json-lines.ts'
import type { KubernetesServer } from './kubernetes-access.ts'

/** An object of `coordination.k8s.io/v1`. A write keeps the fields that are unknown here, among them the uid. */
export interface Lease {
  metadata: {
    name: string
    namespace: string
    /** Undefined if the object does not exist. */
    resourceVersion?: string
    annotations?: { [key: string]: string }
  }
  spec?: {
    holderIdentity?: string
    leaseDurationSeconds?: number
    acquireTime?: string
    renewTime?: string
    leaseTransitions?: number
  }
}

/** What the API server answers. */
interface Answer extends Partial<Lease> {
  /** The Leases of a list. */
  items?: Lease[] | null
  /** The code and the message of an error. */
  code?: number
  message?: string
}

interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  object: Answer
}

export interface KubernetesClientInit {
  namespace: string
  name: string
  server: () => Promise<KubernetesServer>
}

/** How long the API server may say nothing, in ms: half of the time in which a holder of client-go has to renew. */
const ANSWER_MS = 5_000
/** How long one watch lasts, in s. A watch whose connection hangs is noticed after this time and ANSWER_MS. */
const WATCH_S = 10
/** The shortest time between two watches, in ms. */
const PAUSE_MS = 1_000
const NOT_FOUND = 404
const CONFLICT = 409
/** The API server no longer knows the changes since the version at which a watch shall begin. */
const GONE = 410
const TOO_MANY_REQUESTS = 429

export class KubernetesClient {
  readonly #init: KubernetesClientInit
  readonly #list: string

  constructor(init: KubernetesClientInit) {
    this.#init = init
    this.#list = `?fieldSelector=metadata.name%3D${init.name}`
  }

  /** Reads the newest state. `version`: where a watch begins. A list also shows that there is no Lease, and needs no right of its own. */
  async read(signal: AbortSignal): Promise<{ lease: Lease | undefined; version: string }> {
    const { items, metadata, message } = await this.#ask('GET', this.#list, undefined, signal)
    const version = metadata?.resourceVersion
    if (version === undefined) throw await this.#refused(NOT_FOUND, message)
    return { lease: items?.[0], version }
  }

  /**
   * Creates the Lease if it has no version, and otherwise replaces this version. Resolves with the Lease as it is written. Resolves with
   * undefined if another client has been faster.
   */
  async write(lease: Lease, signal: AbortSignal): Promise<Lease | undefined> {
    const [method, path] = lease.metadata.resourceVersion === undefined ? ['POST', ''] : ['PUT', `/${this.#init.name}`]
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...lease }
    const answer = await this.#ask(method, path, body, signal)
    return answer.code === CONFLICT ? undefined : (answer as Lease)
  }

  /** Yields the newest state, and then the state after each change: undefined while there is no Lease. Ends by an error only. */
  async *follow(signal: AbortSignal): AsyncGenerator<Lease | undefined> {
    for (;;) {
      let { lease, version } = await this.read(signal)
      yield lease
      for (let isKnown = true; isKnown; ) {
        const began = performance.now()
        for await (const { type, object } of this.#watch(version, signal)) {
          isKnown = object.code !== GONE
          if (!isKnown) break
          if (type === 'ERROR') throw await this.#refused(object.code ?? 0, object.message)
          version = object.metadata!.resourceVersion!
          if (type !== 'BOOKMARK') yield type === 'DELETED' ? undefined : (object as Lease)
        }
        // A server that ends each watch at once must not be asked without a pause.
        if (performance.now() - began < PAUSE_MS) await delay(PAUSE_MS, signal)
      }
    }
  }

  async *#watch(version: string, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const query = `&watch=1&allowWatchBookmarks=true&timeoutSeconds=${WATCH_S}&resourceVersion=${version}`
    const response = await this.#send('GET', this.#list + query, undefined, signal, 1_000 * WATCH_S + ANSWER_MS)
    if (response.statusCode === 200) yield* jsonLines<WatchEvent>(response)
    else yield { type: 'ERROR', object: await answerOf(response) }
  }

  /** Rejects unless the API server carries out the request, or answers that it conflicts with a change of another client. */
  async #ask(method: string, path: string, body: object | undefined, signal: AbortSignal): Promise<Answer> {
    const response = await this.#send(method, path, body, signal, ANSWER_MS)
    const answer = await answerOf(response)
    const { statusCode: code = 0 } = response
    if (code < 300) return answer
    // The Lease that a PUT replaces may have been deleted.
    if (code === CONFLICT || (code === NOT_FOUND && method === 'PUT')) return { code: CONFLICT }
    throw await this.#refused(code, answer.message)
  }

  /** Sends a request, and again if the server is too busy. Each has its own connection, so no request waits for one that hangs. */
  async #send(method: string, path: string, body: object | undefined, signal: AbortSignal, patience: number) {
    for (;;) {
      signal.throwIfAborted()
      const { url, token, tls } = await this.#init.server()
      const { request } = url.startsWith('https:') ? https : http
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      const options = { method, headers, signal: allowManyListeners(signal), timeout: patience, agent: false, ...tls }
      const sent = request(`${url}${this.#path}${path}`, options)
      sent.on('timeout', () => sent.destroy(new Error(`it has not answered for ${patience} ms`)))
      // Also after the response has begun.
      sent.on('error', () => {})
      sent.end(body && JSON.stringify(body))
      try {
        const [response] = (await once(sent, 'response')) as [http.IncomingMessage]
        const pause = Number(response.headers['retry-after'])
        if (response.statusCode !== TOO_MANY_REQUESTS || !(pause >= 0)) return response
        response.destroy()
        await delay(1_000 * pause, signal)
      } catch (error) {
        signal.throwIfAborted()
        const { message, code } = error as NodeJS.ErrnoException
        throw new Error(`${url}: ${message || code}`, { cause: error })
      }
    }
  }

  get #path(): string {
    return `/apis/coordination.k8s.io/v1/namespaces/${this.#init.namespace}/leases`
  }

  async #refused(code: number, message: string | undefined): Promise<Error> {
    const { url } = await this.#init.server()
    const why = `${url} answers ${code}${message === undefined ? '' : `, ${message}`}`
    const { namespace } = this.#init
    const hints: { [code: number]: string } = {
      401: 'check the service account of the pod, or the user of the current context of kubectl',
      403: `permit list, watch, create and update of leases (coordination.k8s.io) in the namespace ${namespace}: docs/leadership.md has the Role`,
      404: `check that this is an API server of Kubernetes, and that the namespace ${namespace} exists`
    }
    return hints[code] === undefined ? new Error(why) : new ElectionStoreError(`${why}: ${hints[code]}`)
  }
}

async function answerOf(response: http.IncomingMessage): Promise<Answer> {
  const said = await text(response)
  try {
    return JSON.parse(said) as Answer
  } catch {
    return { code: response.statusCode ?? 0, message: said.slice(0, 200) }
  }
}
