/** Locks as users hold them. */
import { hostname } from 'node:os'
import { InvalidOptionError } from '../common/errors.ts'
import { LONGEST_NAME, type LockState, MOST_HOLDERS, TTL } from '../locks/core/types.ts'
import type { LockSession } from '../locks/lock-session.ts'
import type { Locks } from '../locks/locks.ts'
import type { Lock, LockInfo, LockOptions } from './lock-types.ts'

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
