/** The types of locks as users hold them. */

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
