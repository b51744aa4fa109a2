/** What all peers of a cluster must agree on, so that they elect one leader together. */
import { createHash } from 'node:crypto'
import { byPriority, compareRanks, type RankOrder } from './core/rank.ts'
import { type CoreStrategy, strategies } from './core/strategies/strategies.ts'
import type { LeaseTerms, LeaseTime } from './quorum/lease.ts'
import type { OpenStore } from './store/open-store.ts'
import { digestOf } from './voters.ts'

export interface Electorate {
  strategy: CoreStrategy
  /** The voters and their lease time. Only with the strategy `bully`. Default: no voters. */
  terms?: LeaseTerms | undefined
  /** The store that grants the lease. Only with the strategy `mutex`. */
  store?: OpenStore | undefined
}

/** Returns the duration of the leases. Undefined if a leadership needs no lease. */
export function leaseTimeOf({ terms, store }: Electorate): LeaseTime | undefined {
  return terms ?? store
}

/** The separator between the name of a store and the digest. */
const STORE = ':'

/**
 * Returns a text that is equal at two peers exactly if they can elect a leader together: a digest of the terms, the name of the
 * strategy, or the name of the store with a digest. The text is empty for `bully` without voters.
 */
export function electorateOf({ strategy, terms, store }: Electorate): string {
  if (store !== undefined) {
    const { leaseTime, drift, id } = store
    const digest = createHash('sha256')
      .update(JSON.stringify([leaseTime, drift, id]))
      .digest('hex')
    return `${store.store.name}${STORE}${digest.slice(0, 32)}`
  }
  return strategy === 'bully' ? digestOf(terms) : strategy
}

/** Returns the name of the store that grants the lease. Undefined without a store. */
export function storeOf(electorate: string): string | undefined {
  return electorate.includes(STORE) ? electorate.slice(0, electorate.indexOf(STORE)) : undefined
}

/** Returns the strategy of the peers with this electorate, or the name of their store. */
export function strategyOf(electorate: string): string {
  const store = storeOf(electorate)
  if (store !== undefined) return store
  return electorate === '' || /^[0-9a-f]{32}$/.test(electorate) ? 'bully' : electorate
}

/** Returns the order of ranks among the peers with this electorate. */
export function orderOf(electorate: string): RankOrder {
  if (storeOf(electorate) !== undefined) return byPriority
  const strategy = strategyOf(electorate)
  return Object.hasOwn(strategies, strategy) ? strategies[strategy as CoreStrategy].order : compareRanks
}
