import { STRATEGIES, type StrategyName } from '../../election/core/strategies/names.ts'
import { checkStoreAddress, isStoreAddress, type StoreAddress } from '../../election/stores/stores.ts'
import { oneOf } from './options.ts'

const strategy = oneOf(STRATEGIES)

/** Parses `--election`: the name of a strategy, or the address of a store. */
export const election = Object.assign(
  (text: string): StrategyName | StoreAddress => (isStoreAddress(text) ? checkStoreAddress(text) : strategy(text)),
  { choices: STRATEGIES }
)
