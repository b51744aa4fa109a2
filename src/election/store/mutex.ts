import { InvalidOptionError } from '../../common/errors.ts'
import type { LeaseStore } from './lease-store.ts'

/** A strategy in which the peers race for the lease of a store: see {@link mutex}. */
export interface MutexElection {
  /** The name of the strategy. */
  readonly strategy: 'mutex'
  /** The store that grants the lease. */
  readonly store: LeaseStore
}

const METHODS = ['acquire', 'renew', 'transfer', 'release', 'watch'] as const

/**
 * Makes a strategy of a store that grants a lease: the peer that gets the lease leads. Pass it to `join` as `election`, with a store of
 * its own for each peer. At most one peer leads at any moment, as with `voters`, as long as the store keeps its promises and the clocks
 * run within 1% of true time. While no peer reaches the store, no peer leads, and jobs wait.
 *
 * @example
 * ```ts
 * import { join, type LeaseStore, mutex, type Peer } from 'p2p-worker'
 *
 * export function joinWith(store: LeaseStore): Promise<Peer> {
 *   return join({ cluster: 'lab', key: process.env.P2P_WORKER_KEY, election: mutex(store), leaseTime: 1_000 })
 * }
 * ```
 *
 * @throws InvalidOptionError when the store lacks a method, or its name is malformed
 */
export function mutex(store: LeaseStore): MutexElection {
  const missing = METHODS.filter(method => typeof store?.[method] !== 'function')
  if (missing.length > 0)
    throw new InvalidOptionError(`the store of a mutex lacks ${missing.join(', ')}: see \`LeaseStore\``)
  if (typeof store.name === 'string' && /^[a-z0-9-]{1,24}$/.test(store.name)) return { strategy: 'mutex', store }
  throw new InvalidOptionError(
    `the name of a store must have 1 to 24 characters out of a-z 0-9 -, not ${JSON.stringify(store.name)}`
  )
}
