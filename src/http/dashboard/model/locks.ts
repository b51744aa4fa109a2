/** What the page shows of the locks. */
import type { WireLock, WireLockHolder, WireLockWaiter } from './wire.ts'

/** The most locks that the page shows, and the most holders and waiters of each. */
export const MOST_LOCKS = 100
export const MOST_SESSIONS = 10

export interface LockRow {
  kind: WireLock['kind']
  name: string
  limit: number
  holders: readonly WireLockHolder[]
  waiters: readonly WireLockWaiter[]
  /** How many more hold the lock than are shown. */
  moreHolders: number
  moreWaiters: number
}

/** Returns the locks that the page shows, those with waiters first. */
export function lockRows(locks: readonly WireLock[]): LockRow[] {
  const wanted = locks.filter(({ waiters }) => waiters.length > 0)
  const others = locks.filter(({ waiters }) => waiters.length === 0)
  return [...wanted, ...others].slice(0, MOST_LOCKS).map(({ kind, name, limit, holders, waiters }) => ({
    kind,
    name,
    limit,
    holders: holders.slice(0, MOST_SESSIONS),
    waiters: waiters.slice(0, MOST_SESSIONS),
    moreHolders: Math.max(0, holders.length - MOST_SESSIONS),
    moreWaiters: Math.max(0, waiters.length - MOST_SESSIONS)
  }))
}

/** Returns how long the page waits before it asks for a list again, in ms. A long list costs the leader more. */
export function pauseAfter(list: readonly object[]): number {
  return Math.max(1_000, list.length * 10)
}
