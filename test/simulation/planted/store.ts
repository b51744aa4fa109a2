/** Bugs planted into the race for the lease of a store: each breaks one rule. */
import { electionRules } from '../../../src/election/core/rules.ts'
import type { StoreRules } from '../../../src/election/store/store-lease.ts'
import { runStoreSeed, type StoreWorldRules } from '../store-scenario.ts'
import { bugsOfRules, type PlantedBugs } from './planted-bug.ts'

function found(seed: number, rules: StoreWorldRules): string | undefined {
  return runStoreSeed(seed, rules)?.error.message
}

const RULES: { readonly [bug: string]: Partial<StoreRules> } = {
  'counts a grant from its arrival': { countsFrom: (_, now) => now },
  'counts a grant for the whole lease time': { validity: ({ leaseTime }) => leaseTime },
  'takes the answer to a request of an earlier lease': { isCurrent: () => true },
  'mints an epoch that is not above the epoch in the record': { epochAfter: (_, above) => above + 1 }
}

export const storeBugs: PlantedBugs = {
  'claims without the lease': {
    find: seed => found(seed, { election: { ...electionRules, needsLease: () => false } })
  },
  ...bugsOfRules(RULES, (store, seed) => found(seed, { store }))
}
