/** The HTTP server of a peer: binds the port, serves the API and stops. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Peer } from '../api/types.ts'
import { InvalidOptionError, P2pWorkerError, StoppedError } from '../common/errors.ts'
import { type Logger, silent } from '../common/logger.ts'
import { createApp } from './app.ts'
import { ChunkFeed } from './chunk-feed.ts'
import { EventFeed } from './event-feed.ts'
import { ownNames, SECURITY_HEADERS } from './guard.ts'
import { HttpJobs } from './jobs.ts'
import { HttpLocks } from './locks.ts'
import { PeerMetrics } from './metrics.ts'
import { Readers } from './readers.ts'
import { ResultBodies } from './result-bodies.ts'
import { HttpSchedules } from './schedules.ts'
import { sharedStatus } from './shared-status.ts'
import { newToken, removeToken, tokenIn } from './token.ts'

/** The time limit for the headers of a request, in ms. A client that sends the headers byte by byte would occupy a connection for long. */
const HEADERS_MS = 5_000
/** The time limit for a whole request, in ms. */
const REQUEST_MS = 60_000
/** The interval at which the server checks these time limits, in ms. */
const CHECK_MS = 1_000
const KEEP_ALIVE_MS = 30_000
const MOST_HEADER_BYTES = 16 * 2 ** 10
/** The largest number of connections. Node closes further connections, because the cluster also needs file handles of this process. */
const MOST_CONNECTIONS = 256
/** How long running requests may take when the server stops, in ms. */
const LAST_ANSWERS_MS = 1_000

/** The address at which the API listens. */
export interface HttpAddress {
  /** An address or a name of this machine. Default `127.0.0.1`. */
  host?: string | undefined
  /** The port. 0 selects any free port. */
  port: number
}

/** The options of the API besides its peer. */
export interface ServeOptions {
  /**
   * A file for the token, which only its owner can read. If the file exists, the token is read from the file. Otherwise the file is
   * created. Default: no file. The returned server contains the token.
   */
  tokenFile?: string | undefined
  /** Whether the token file remains when the server stops. Default false. */
  keepToken?: boolean | undefined
  /**
   * Further host names to which clients may send requests. Addresses, `localhost` and this machine's host name are always allowed.
   * Default: no further names.
   */
  allowedHosts?: readonly string[] | undefined
  /**
   * The metrics whose `libp2p` was given to `join`. With them, `/metrics` includes libp2p's metrics. Default: new metrics, without
   * libp2p's metrics.
   */
  metrics?: PeerMetrics | undefined
  /** Receives diagnostics. Default: no logger. */
  logger?: Logger | undefined
  /** Stops the server. */
  signal?: AbortSignal | undefined
}

/** The options of {@link serveHttp}. */
export interface HttpOptions extends HttpAddress, ServeOptions {}

/** A peer's HTTP API. */
export interface HttpServer extends AsyncDisposable {
  /** The URL for clients on this machine, such as `http://127.0.0.1:8080`. */
  readonly url: string
  /** The token with which a client may submit jobs. */
  readonly token: string
  /** The file of the token. Undefined without a token file. */
  readonly tokenFile: string | undefined
  /**
   * Prepares for the moment when the peer leaves: `/readyz` reports that the peer is leaving, event streams end, and jobs are refused.
   * All other routes answer until {@link stop}.
   */
  drain(): void
  /** Ends all connections. Removes the token file unless `keepToken` is set. */
  stop(): Promise<void>
}

/** A bound port that does not have a peer yet. */
export interface BoundHttp {
  readonly url: string
  /**
   * Starts to answer requests.
   *
   * @throws InvalidOptionError when the token file cannot be used, or an allowed host is malformed. Then the port is released.
   */
  serve(peer: Peer, options?: ServeOptions): Promise<HttpServer>
  /** Releases the port. */
  close(): Promise<void>
}

/**
 * Binds the port. The server answers 503 until `serve` is called with a peer.
 *
 * @throws P2pWorkerError when another process has the port; InvalidOptionError when the port is invalid
 */
export async function bindHttp({ host = '127.0.0.1', port }: HttpAddress): Promise<BoundHttp> {
  let listener: RequestListener = (_, response) => {
    response.writeHead(503, { ...SECURITY_HEADERS, 'Content-Type': 'application/json', 'Retry-After': '1' })
    response.end('{"error":{"name":"NotReadyError","message":"this peer is starting"}}')
  }
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MOST_HEADER_BYTES
    },
    (request, response) => listener(request, response)
  )
  server.maxConnections = MOST_CONNECTIONS
  await listen(server, host, port)
  const url = urlOf(server.address() as AddressInfo)
  return {
    url,
    close: () => close(server),
    async serve(peer, options = {}) {
      try {
        const serving = await createServing(server, url, peer, options)
        listener = serving.listener
        return serving.http
      } catch (error) {
        await close(server)
        throw error
      }
    }
  }
}

/**
 * Serves the HTTP API of a peer: health, metrics, status and events for every client that reaches the port, and jobs
 * for clients with the token (docs/http.md).
 *
 * @example
 * ```ts
 * import { join } from 'p2p-worker'
 * import { PeerMetrics, serveHttp } from 'p2p-worker/http'
 *
 * const metrics = new PeerMetrics()
 * const peer = await join({ cluster: 'lab', insecure: true, metrics: metrics.libp2p })
 * const http = await serveHttp(peer, { port: 8081, metrics })
 * console.log(`${http.url}/api/status`)
 * await peer.leave()
 * await http.stop()
 * ```
 *
 * @throws P2pWorkerError when another process has the port; InvalidOptionError when the port is invalid, the token's
 * file cannot be used, an allowed host is malformed, or the metrics belong to another peer; the signal's reason
 */
export async function serveHttp(peer: Peer, options: HttpOptions): Promise<HttpServer> {
  const { signal } = options
  signal?.throwIfAborted()
  const bound = await bindHttp(options)
  const http = await bound.serve(peer, options)
  if (signal?.aborted === true) {
    await http.stop()
    signal.throwIfAborted()
  }
  return http
}

async function createServing(
  server: Server,
  url: string,
  peer: Peer,
  options: ServeOptions
): Promise<{ http: HttpServer; listener: RequestListener }> {
  const { tokenFile, keepToken = false, allowedHosts, metrics = new PeerMetrics(), logger = silent, signal } = options
  const names = ownNames(allowedHosts)
  const stopping = new AbortController()
  const status = sharedStatus(peer, stopping.signal)
  const readers = new Readers()
  const feed = new EventFeed(peer, status, readers, logger)
  const chunks = new ChunkFeed(peer, readers, logger)
  const results = new ResultBodies()
  const locks = new HttpLocks(peer, stopping.signal)
  let isLeaving = false
  metrics.follow(peer, () => readers.count)
  const token = tokenFile === undefined ? newToken() : await tokenIn(tokenFile)
  const app = createApp({
    peer,
    token,
    names,
    metrics,
    feed,
    chunks,
    status,
    jobs: new HttpJobs(peer, stopping.signal),
    locks,
    schedules: new HttpSchedules(peer, stopping.signal),
    results,
    isLeaving: () => isLeaving,
    logger
  })
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  let stopped: Promise<void> | undefined
  const drain = (): void => {
    isLeaving = true
    feed.stop()
    chunks.stop()
    locks.stop()
  }
  const onAbort = (): void => {
    http.stop().catch((error: unknown) => logger.warn({ error }, 'the HTTP API did not stop well'))
  }
  const stop = async (): Promise<void> => {
    signal?.removeEventListener('abort', onAbort)
    drain()
    stopping.abort(new StoppedError('the HTTP API of this peer was stopped'))
    await Promise.all([close(server), results.stop()])
    if (tokenFile !== undefined && !keepToken) await removeToken(tokenFile)
  }
  const http: HttpServer = {
    url,
    token,
    tokenFile,
    drain,
    stop() {
      stopped ??= stop()
      return stopped
    },
    [Symbol.asyncDispose]: () => http.stop()
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  return { http, listener: (request, response) => void listener(request, response) }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    await once(server.listen({ host, port }), 'listening')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const where = `port ${port} of ${host}`
    if (code === 'EADDRINUSE') {
      throw new P2pWorkerError(
        `the HTTP API cannot use ${where}: another process uses it. Choose another port, or 0 for any free port`,
        { cause }
      )
    }
    const why =
      code === 'EACCES'
        ? 'this user may not use it; ports from 1024 on are open to every user'
        : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
          ? 'this machine has no such address'
          : message
    throw new InvalidOptionError(`the HTTP API cannot use ${where}: ${why}`, { cause })
  }
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS)
  await closed
  clearTimeout(timer)
}

/** Returns the URL of the server. If the server listens at all addresses, the URL contains the loopback address. */
function urlOf({ address, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`
}
