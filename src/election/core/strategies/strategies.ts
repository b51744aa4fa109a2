import type { Context } from '../part.ts'
import { byPriority, compareRanks, lowestIdFirst, type RankOrder } from '../rank.ts'
import { Bully } from './bully.ts'
import { Lowest } from './lowest.ts'
import { Mutex } from './mutex.ts'
import type { StrategyName } from './names.ts'
import { Ring } from './ring.ts'
import type { Strategy } from './strategy.ts'

/** A strategy as the core runs it: one among the peers, or the race for the lease of a store. */
export type CoreStrategy = StrategyName | 'mutex'

interface StrategyType {
  readonly order: RankOrder
  create(context: Context): Strategy
}

export const strategies: { readonly [name in CoreStrategy]: StrategyType } = {
  bully: { order: compareRanks, create: context => new Bully(context) },
  lowest: { order: lowestIdFirst, create: context => new Lowest(context) },
  ring: { order: compareRanks, create: context => new Ring(context) },
  mutex: { order: byPriority, create: context => new Mutex(context) }
}
