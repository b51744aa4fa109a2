/** Locks as users hold them. */
import { hostname } from 'node:os'
import { InvalidOptionError } from '../common/errors.ts'
import { LONGEST_NAME, type LockState, MOST_HOLDERS, TTL } from '../locks/core/types.ts'
import type { LockSession } from '../locks/lock-session.ts'
import type { Locks } from '../locks/locks.ts'

/** The options of a lock. */
export interface LockOptions {
  /** How many may hold the lock at the same time, 1 to 1,000. All holders of a name must give the same limit. Default 1. */
  limit?: number
  /**
   * How long the lock lasts after its holder has died, in ms, from 1,000 to 30,000. While the holder lives, it renews the lock by itself. Default
   * 10,000.
   */
  ttl?: number
  /** How long to wait for the lock, in ms, once a leader has answered. 0 tries once. Default: without end. */
  wait?: number
  /** Aborts the wait. After the lock is granted, the signal has no effect. */
  signal?: AbortSignal
  /** Describes the holder to people, for `p2p-worker locks` and the dashboard: 1 to 200 characters. Default: the host name and the process id. */
  owner?: string
  /**
   * Called when the lock is held by others, with the number of those who wait before this call, and whenever this number is known anew. If it
   * throws, the wait ends with that error.
   */
  onWaiting?: (ahead: number) => void
  /**
   * Whether others outside of this process rely on the lock. Then the stop of this process does not release the lock, because they do not see its
   * signal: it lasts until its ttl is over.
   *
   * @internal
   */
  isLent?: boolean
}

/** A lock that this process holds. `await using` releases it at the end of the block. */
export interface Lock {
  /** The name of the lock. */
  readonly name: string
  /**
   * The fencing token. Each grant of a name has a larger token than all grants before. A store that keeps the largest token that it has seen can
   * refuse writes of a former holder. Without `voters` or a store, the token may go back when a network was cut.
   */
  readonly token: number
  /** Aborts with a LockLostError when the lock is lost, before anybody else can hold it. A release does not abort the signal. */
  readonly signal: AbortSignal
  /** Returns the time (ms) for which this process certainly still holds the lock. Each renewal makes it longer. */
  remaining(): number
  /** Releases the lock. Resolves when the cluster knows it. Does nothing if the lock is already released or lost. */
  release(): Promise<void>
  /** Releases the lock. `await using` calls this method at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A session that holds a lock. */
export interface LockHolder {
  /** The PeerId of the client or peer. */
  client: string
  /** Describes the client to people: by default its host name and process id. */
  owner: string
  /** The fencing token of this grant. */
  token: number
  /** How long the lock lasts after its holder has died, in ms. */
  ttl: number
  /** When the lock was granted, in ms since the Unix epoch. */
  since: number
}

/** A session that waits for a lock. */
export interface LockWaiter {
  /** The PeerId of the client or peer. */
  client: string
  /** Describes the client to people: by default its host name and process id. */
  owner: string
  /** When the session began to wait at the present leader, in ms since the Unix epoch. */
  since: number
}

/** A lock or a named leadership that somebody holds or waits for. */
export interface LockInfo {
  /** `lock`: a lock or semaphore. `leadership`: the leadership of a name ({@link LeadOptions.name}). */
  kind: 'lock' | 'leadership'
  /** The name of the lock or the leadership. */
  name: string
  /** How many may hold it at the same time. */
  limit: number
  /** The newest token. */
  token: number
  /** Those who hold it. */
  holders: LockHolder[]
  /** Those who wait, in the order in which they will get it. */
  waiters: LockWaiter[]
}

/** Describes this process to people. */
export const OWNER = `${hostname().slice(0, 100)}:${process.pid}`

/** @throws InvalidOptionError when the name of a lock or a leadership is empty or too long */
export function checkLockName(name: string): string {
  if (typeof name === 'string' && name.length >= 1 && name.length <= LONGEST_NAME) return name
  const got = typeof name === 'string' ? `${name.length} characters` : String(name)
  throw new InvalidOptionError(`the name of a lock must have 1 to ${LONGEST_NAME} characters, not ${got}`)
}

/** @throws InvalidOptionError when the ttl is out of range */
export function checkTtl(ttl: number = TTL.usual): number {
  if (Number.isFinite(ttl) && ttl >= TTL.least && ttl <= TTL.most) return Math.floor(ttl)
  throw new InvalidOptionError(`the \`ttl\` of a lock must be ${TTL.least} to ${TTL.most} ms, not ${ttl}`)
}

/** Acquires a lock. @throws InvalidOptionError, LockTimeoutError, NoClusterError, StoppedError, or the signal's reason */
export async function acquireLock(locks: Locks, name: string, options: LockOptions): Promise<Lock> {
  const { limit = 1, wait = Number.POSITIVE_INFINITY, owner = OWNER, signal, onWaiting, isLent } = options
  checkLockName(name)
  const ttl = checkTtl(options.ttl)
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_HOLDERS)
    throw new InvalidOptionError(
      `the \`limit\` of a lock must be a whole number from 1 to ${MOST_HOLDERS}, not ${limit}`
    )
  if (!(wait >= 0)) throw new InvalidOptionError(`\`wait\` must be a number of ms, 0 or more, not ${wait}`)
  if (typeof owner !== 'string' || owner === '' || owner.length > LONGEST_NAME)
    throw new InvalidOptionError(`the \`owner\` of a lock must have 1 to ${LONGEST_NAME} characters`)
  const session = await locks.acquire({ kind: 'lock', name, limit, ttl, owner, wait, signal, onWaiting, isLent })
  return heldLock(session, name)
}

function heldLock(session: LockSession, name: string): Lock {
  return {
    name,
    token: session.token,
    signal: session.lost,
    remaining: () => session.remaining,
    release: () => session.release(),
    [Symbol.asyncDispose]: () => session.release()
  }
}

export function lockInfo({ kind, name, limit, token, holders, waiters }: LockState): LockInfo {
  return {
    kind,
    name,
    limit,
    token,
    holders: holders.map(({ client, owner, token, ttl, since }) => ({ client, owner, token, ttl, since })),
    waiters: waiters.map(waiter => ({ ...waiter }))
  }
}
