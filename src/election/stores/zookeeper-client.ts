/**
 * Connections to ZooKeeper by node-zookeeper-client 1.1. Each connection is a client of its own that connects once, because the
 * library, when it connects again by itself, sends requests that nobody awaits any more, takes the rest of a cut answer for the
 * beginning of the next one, and can keep timers and sockets after `close`. It also waits for an answer without a limit.
 */
import { ElectionStoreError } from '../../common/errors.ts'
import { orAborted } from '../../lib/abort.ts'
import {
  type Callback,
  type Client,
  CODE,
  EPHEMERAL,
  type Library,
  loadLibrary,
  type Server,
  STATE,
  type Stat
} from './zookeeper-library.ts'

/** A session of ZooKeeper, which can outlive its connections. */
export interface Session {
  sessionId: Buffer
  sessionPassword: Buffer
}

export interface ConnectOptions {
  /** How long the server keeps the session after this connection has opened, or was last heard from, in ms. */
  timeout: number
  /** The session that this connection continues. Default: a new one. */
  session?: Session | undefined
  /** Ends the connection when it aborts. */
  signal: AbortSignal
}

/** A change of one node. The version -1 stands for any version. */
export type Change =
  | { type: 'create'; path: string }
  | { type: 'remove'; path: string }
  | { type: 'set'; path: string; data: string; version: number }

/** How long a server may take to answer before the next one is asked, in ms. */
const ANSWER_MS = 1_000

/** The session has ended, and with it all its nodes. */
export class SessionExpiredError extends Error {}

export class ZooKeeper {
  readonly #servers: readonly Server[]
  readonly #library: Library
  /** The index of the server that has answered last. The first one is drawn, so that peers spread over the servers. */
  #current: number

  /** @throws MissingPackageError when the library is not installed */
  constructor(servers: readonly Server[]) {
    this.#servers = servers
    this.#library = loadLibrary()
    this.#current = Math.floor(Math.random() * servers.length)
  }

  /** Connects to the servers in turn, until one answers. @throws SessionExpiredError */
  async connect(options: ConnectOptions): Promise<Connection> {
    let failure: unknown
    for (let attempt = 0; attempt < this.#servers.length; attempt++) {
      options.signal.throwIfAborted()
      const asked = this.#current
      const server = this.#servers[asked]!
      const client = this.#library.createClient('server', { sessionTimeout: options.timeout, ...options.session })
      const connection = new Connection(client, server, options.signal)
      connection.over.addEventListener('abort', () => {
        // A server that has failed once is asked last.
        if (connection.hasFailed && this.#current === asked) this.#current = (asked + 1) % this.#servers.length
      })
      try {
        await connection.opened()
        return connection
      } catch (error) {
        if (error instanceof SessionExpiredError) throw error
        failure = error
      }
    }
    options.signal.throwIfAborted()
    throw failure
  }
}

export class Connection {
  readonly #client: Client
  readonly #server: Server
  readonly #over = new AbortController()
  readonly #waiting = new Set<() => void>()
  /** How often a watched node has changed. */
  changes = 0
  /** Whether the server, and not this peer, has ended the connection. */
  hasFailed = false

  constructor(client: Client, server: Server, signal: AbortSignal) {
    this.#client = client
    this.#server = server
    const stop = (): void => this.end(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    this.over.addEventListener('abort', () => signal.removeEventListener('abort', stop), { once: true })
  }

  /** Aborts when this connection has ended, with the reason. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  get session(): Session {
    return { sessionId: this.#client.getSessionId(), sessionPassword: this.#client.getSessionPassword() }
  }

  /** The timeout of the session that the server has chosen, in ms. */
  get timeout(): number {
    return this.#client.getSessionTimeout()
  }

  /** Connects. */
  async opened(): Promise<void> {
    const manager = this.#client.connectionManager
    // The library cannot parse an IPv6 address.
    manager.servers = [this.#server]
    const read = manager.onSocketData
    manager.onSocketData = bytes => {
      try {
        read.call(manager, bytes)
      } catch (error) {
        this.#fail(`it sends something else than ZooKeeper: ${(error as Error).message}`)
      }
    }
    const connected = new Promise<void>(resolve => {
      manager.on('state', (state: number) => {
        if (state === STATE.connected) resolve()
        else if (state === STATE.expired) this.end(new SessionExpiredError('the session has expired'))
        else if (state === STATE.disconnected) this.#fail('it has closed the connection')
      })
    })
    this.#client.connect()
    manager.connect = () => {}
    // The library makes the socket in the next tick.
    await new Promise<void>(resolve => process.nextTick(resolve))
    manager.socket?.on('error', error => this.#fail((error as NodeJS.ErrnoException).message || String(error)))
    if (this.over.aborted) this.end()
    await this.#answered(connected)
  }

  /** Closes the connection. The session goes on for its timeout. */
  end(reason: unknown = new Error('this peer has closed the connection')): void {
    const { connectTimeoutHandler, socket } = this.#client.connectionManager
    if (connectTimeoutHandler !== null) clearTimeout(connectTimeoutHandler)
    socket?.destroy()
    this.#over.abort(reason)
    this.#wake()
  }

  /** Ends the session, and with it its nodes. If this fails, the session ends after its timeout. */
  async closeSession(): Promise<void> {
    this.#client.close()
    // The server answers by closing the connection.
    await this.#answered(new Promise(() => {})).catch(() => {})
  }

  /** Reads a node and the names of its children. Undefined if there is no such node. `isWatched`: count the next change. */
  async read(
    path: string,
    isWatched: boolean
  ): Promise<{ data: string; version: number; children: string[] } | undefined> {
    const watcher = isWatched ? this.#changed : undefined
    try {
      // The server answers in this order, so the children are at least as new as the version.
      const [[data, { version }], [children]] = await Promise.all([
        this.#ask<[Buffer | undefined, Stat]>(done => this.#client.getData(path, watcher, done)),
        this.#ask<[string[], Stat]>(done => this.#client.getChildren(path, watcher, done))
      ])
      return { data: data?.toString() ?? '', version, children }
    } catch (error) {
      if ((error as { code?: number }).code === CODE.noNode) return undefined
      throw error
    }
  }

  /** Creates a node that does not end, and those above it. */
  async createAll(path: string): Promise<void> {
    await this.#ask<[string]>(done => this.#client.mkdirp(path, done))
  }

  /** Makes all these changes, or none. `code`: why it made none. `number`: the number of the transaction. */
  async commit(changes: readonly Change[]): Promise<{ code: number; number: string | undefined }> {
    const transaction = this.#client.transaction()
    for (const change of changes) {
      if (change.type === 'create') transaction.create(change.path, EPHEMERAL)
      else if (change.type === 'remove') transaction.remove(change.path)
      else {
        transaction.setData(change.path, Buffer.from(change.data), change.version)
        // The library takes the version 0 for any version.
        transaction.ops.at(-1)!.version = change.version
      }
    }
    try {
      const [results] = await this.#ask<[{ stat?: Stat }[]]>(done => transaction.commit(done))
      const stat = results.find(result => result.stat !== undefined)?.stat
      return { code: CODE.ok, number: stat?.mzxid.readBigInt64BE().toString() }
    } catch (error) {
      const { code } = error as { code?: number }
      if (code === CODE.noNode || code === CODE.badVersion || code === CODE.nodeExists)
        return { code, number: undefined }
      throw error
    }
  }

  /** Resolves when `changes` is above `seen` or the connection has ended, but after `ms` at the latest. Returns whether it is. */
  async changedSince(seen: number, ms: number): Promise<boolean> {
    if (this.changes === seen && !this.over.aborted)
      await new Promise<void>(resolve => {
        const wake = (): void => {
          clearTimeout(timer)
          this.#waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, ms).unref()
        this.#waiting.add(wake)
      })
    return this.changes !== seen || this.over.aborted
  }

  /** One function for all watches, because the library keeps it only once. */
  readonly #changed = (): void => {
    this.changes += 1
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }

  #fail(why: string): void {
    if (this.over.aborted) return
    this.hasFailed = true
    this.end(new Error(`${this.#server.host}:${this.#server.port}: ${why}`))
  }

  async #ask<T extends unknown[]>(send: (done: Callback<T>) => void): Promise<T> {
    const answer = new Promise<T>((resolve, reject) => {
      send((error, ...values) => {
        // The end of the connection, which follows, says why.
        if (error?.code === CODE.connectionLoss) return
        if (error?.code === CODE.noAuth) reject(refused())
        else if (error?.code === CODE.expired) reject(new SessionExpiredError(error.message))
        else if (error) reject(error)
        else resolve(values)
      })
    })
    return await this.#answered(answer)
  }

  async #answered<T>(answer: Promise<T>): Promise<T> {
    const late = setTimeout(() => this.#fail(`no answer within ${ANSWER_MS} ms`), ANSWER_MS).unref()
    try {
      return await orAborted(answer, this.over)
    } finally {
      clearTimeout(late)
    }
  }
}

function refused(): ElectionStoreError {
  return new ElectionStoreError(
    'ZooKeeper refuses a change below /p2p-worker: its ACL must permit everybody everything (world:anyone:cdrwa)'
  )
}
