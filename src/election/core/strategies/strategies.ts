import type { Context } from '../part.ts'
import { compareRanks, lowestIdFirst, type RankOrder } from '../rank.ts'
import { Bully } from './bully.ts'
import { Lowest } from './lowest.ts'
import type { StrategyName } from './names.ts'
import { Ring } from './ring.ts'
import type { Strategy } from './strategy.ts'

/** The strategies among the peers. Each needs nothing but the membership. */
export const strategies: {
  readonly [name in StrategyName]: { readonly order: RankOrder; create(context: Context): Strategy }
} = {
  bully: { order: compareRanks, create: context => new Bully(context) },
  lowest: { order: lowestIdFirst, create: context => new Lowest(context) },
  ring: { order: compareRanks, create: context => new Ring(context) }
}
