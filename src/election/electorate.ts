/** What all peers of a cluster must agree on, so that they elect one leader together. */
import { compareRanks, type RankOrder } from './core/rank.ts'
import type { StrategyName } from './core/strategies/names.ts'
import { strategies } from './core/strategies/strategies.ts'
import type { LeaseTerms } from './quorum/lease.ts'
import { digestOf } from './voters.ts'

export interface Electorate {
  strategy: StrategyName
  /** The voters and their lease time. Only with the strategy `bully`. Default: no voters. */
  terms?: LeaseTerms | undefined
}

/**
 * Returns a text that is equal at two peers exactly if they can elect a leader together: a digest of the terms, or the name of the
 * strategy. The text is empty for `bully` without voters.
 */
export function electorateOf({ strategy, terms }: Electorate): string {
  return strategy === 'bully' ? digestOf(terms) : strategy
}

/** Returns the strategy of the peers with this electorate. */
export function strategyOf(electorate: string): string {
  return electorate === '' || /^[0-9a-f]{32}$/.test(electorate) ? 'bully' : electorate
}

/** Returns the order of ranks among the peers with this electorate. */
export function orderOf(electorate: string): RankOrder {
  const strategy = strategyOf(electorate)
  return Object.hasOwn(strategies, strategy) ? strategies[strategy as StrategyName].order : compareRanks
}
