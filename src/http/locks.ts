/** Serves `/api/locks`: this peer holds locks for HTTP clients. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Lock, LockInfo } from '../api/lock-types.ts'
import { checkTtl } from '../api/locks.ts'
import type { Peer } from '../api/types.ts'
import { LockLostError, StoppedError } from '../common/errors.ts'
import { eitherSignal } from '../lib/abort.ts'
import { EventStream, encodeEvent, HEARTBEAT } from './event-stream.ts'
import { checkLeader } from './leader.ts'
import type { LockRequest } from './lock-request.ts'
import { AGAIN, answerTo, HttpProblem } from './problem.ts'
import type { Shared } from './shared.ts'
import { sharedList } from './shared-list.ts'

/** The most locks that this peer holds for HTTP clients, or waits for. */
const MOST_LOCKS = 1_000
/** The interval of the heartbeats of a stream, in ms. */
const HEARTBEAT_MS = 1_000
/** The number of renewals in one ttl. With this number, two of them may be lost. */
const RENEWALS = 4

type AskedPeer = Pick<Peer, 'leader' | 'status' | 'lock' | 'locks'>

/** A lock that this peer holds for an HTTP client. */
interface Session {
  readonly id: string
  readonly lock: Lock
  readonly ttl: number
  /** Releases the lock if the client does not renew it. A stream does not need to. */
  timer?: NodeJS.Timeout
}

/** How long the client may rely on the lock, counted from the moment when it sent its request. */
export interface Renewed {
  token: number
  validMs: number
}

export interface Granted extends Renewed {
  session: string
  renewEveryMs: number
}

export class HttpLocks {
  readonly #peer: AskedPeer
  readonly #stopped: AbortSignal
  readonly #sessions = new Map<string, Session>()
  readonly #endStreams = new Set<() => void>()
  readonly #list: Shared<LockInfo[]>
  #waiting = 0

  constructor(peer: AskedPeer, stopped: AbortSignal) {
    this.#peer = peer
    this.#stopped = stopped
    this.#list = sharedList(peer, stopped, 'locks', signal => peer.locks({ signal }))
  }

  /** Returns all locks that somebody holds or waits for. */
  list(): Promise<LockInfo[]> {
    return this.#list.get()
  }

  /** Acquires a lock that the client must renew. `asker` aborts when the client disconnects: then it loses its place. */
  async open(name: string, request: LockRequest, asker: AbortSignal): Promise<Granted> {
    const session = await this.#acquire(name, request, asker)
    return { session: session.id, ...this.#extend(session), renewEveryMs: Math.floor(session.ttl / RENEWALS) }
  }

  /** @throws LockLostError when the session is over */
  renew(name: string, id: string): Renewed {
    const session = this.#sessions.get(id)
    if (session?.lock.name !== name || session.lock.remaining() === 0)
      throw new LockLostError(
        `this session does not hold the lock ${JSON.stringify(name)} any more: stop what the lock protects, then ask for the lock again`
      )
    return this.#extend(session)
  }

  /** Releases the lock. Resolves when the cluster knows it, or when the session was over before. */
  async release(name: string, id: string): Promise<void> {
    const session = this.#sessions.get(id)
    if (session?.lock.name === name) await this.#release(session)
  }

  /**
   * Acquires a lock, and holds it until the client disconnects. Resolves when the stream has begun, which is when the client has to wait, or holds
   * the lock. Rejects when the request fails before.
   */
  stream(name: string, request: LockRequest, response: ServerResponse, asker: AbortSignal): Promise<void> {
    let stream: EventStream | undefined
    let session: Session | undefined
    let id = 0
    return new Promise((resolve, reject) => {
      const begin = (): EventStream => {
        const beating = setInterval(() => began.send(HEARTBEAT), HEARTBEAT_MS)
        const began = new EventStream(response, () => {
          clearInterval(beating)
          this.#endStreams.delete(stop)
          if (session !== undefined && !session.timer) void this.#release(session)
        })
        resolve()
        return began
      }
      const tell = (event: string, data: object): void => {
        if (response.writableEnded || response.destroyed) return
        stream ??= begin()
        stream.send(encodeEvent(++id, event, JSON.stringify(data)))
      }
      const end = (event: string, error: unknown): void => {
        tell(event, answerTo(error)?.body.error ?? { name: 'InternalError', message: 'this is a bug of the peer' })
        stream?.end()
      }
      // The client learns it a moment later, so the lock stays for the time of one ttl.
      const stop = (): void => {
        if (session !== undefined) this.#extend(session)
        end('lost', new StoppedError('this peer is leaving: ask another one for the lock'))
      }
      // Who tries once does not wait, and wants a status.
      const onWaiting = request.wait === 0 ? undefined : (ahead: number) => tell('waiting', { ahead })
      this.#acquire(name, request, asker, onWaiting).then(
        held => {
          session = held
          this.#endStreams.add(stop)
          tell('held', { token: held.lock.token })
          held.lock.signal.addEventListener('abort', () => end('lost', held.lock.signal.reason), { once: true })
        },
        (error: unknown) => (stream === undefined ? reject(error) : end('failed', error))
      )
    })
  }

  /**
   * Ends the streams. The locks of the other sessions end when the clients no longer rely on them: nobody can tell these clients that the locks are
   * released.
   */
  stop(): void {
    for (const end of this.#endStreams) end()
    this.#endStreams.clear()
  }

  async #acquire(
    name: string,
    { ttl, ...options }: LockRequest,
    asker: AbortSignal,
    onWaiting?: (ahead: number) => void
  ): Promise<Session> {
    if (this.#sessions.size + this.#waiting >= MOST_LOCKS) {
      const what = `this peer holds ${MOST_LOCKS} locks for HTTP clients, or waits for them, which is the most`
      throw new HttpProblem(429, 'TooManyLocks', `${what}: ask another one`, AGAIN)
    }
    const either = eitherSignal(asker, this.#stopped)
    this.#waiting += 1
    try {
      await checkLeader(this.#peer, this.#stopped)
      const { signal } = either
      const lasts = checkTtl(ttl)
      const lock = await this.#peer.lock(name, {
        ...options,
        ttl: lasts,
        signal,
        isLent: true,
        ...(onWaiting && { onWaiting })
      })
      const session = { id: randomUUID(), lock, ttl: lasts }
      if (signal.aborted) await lock.release()
      else this.#keep(session)
      signal.throwIfAborted()
      return session
    } catch (error) {
      // Nobody reads the answer.
      throw asker.aborted ? new StoppedError('the client has closed its request') : error
    } finally {
      this.#waiting -= 1
      either.release()
    }
  }

  #keep(session: Session): void {
    this.#sessions.set(session.id, session)
    session.lock.signal.addEventListener('abort', () => this.#forget(session), { once: true })
  }

  #forget(session: Session): void {
    this.#sessions.delete(session.id)
    clearTimeout(session.timer)
  }

  async #release(session: Session): Promise<void> {
    this.#forget(session)
    await session.lock.release()
  }

  /**
   * Holds the lock for one more ttl, and tells how long the client may rely on it.
   *
   * `remaining` is at most the ttl less the drift of two clocks and a margin, and begins now. The client counts it from an earlier moment. So the
   * client stops before the timer fires, and before the leader can grant the lock to others.
   */
  #extend(session: Session): Renewed {
    const { lock, ttl } = session
    clearTimeout(session.timer)
    session.timer = setTimeout(() => void this.#release(session), ttl).unref()
    return { token: lock.token, validMs: Math.floor(lock.remaining()) }
  }
}
