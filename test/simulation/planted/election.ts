/** Bugs planted into the election core: each breaks one rule. */
import { type ElectionRules, electionRules } from '../../../src/election/core/rules.ts'
import type { StrategyName } from '../../../src/election/core/strategies/names.ts'
import { runSeed } from '../election-scenario.ts'
import { bugsOfRules } from './planted-bug.ts'

/** The broken rules of each bug under Bully. The rule `needsLease` has an effect only under a quorum, so quorum.ts breaks that rule. */
const BROKEN: { readonly [bug: string]: Partial<ElectionRules> } = {
  'accepts an older leadership than its newest': { refusesOlder: () => false },
  'accepts a rival of its live leader without a go-ahead': { hasGoAhead: () => true },
  'claims with an epoch that is already used': { nextEpoch: newest => Math.max(1, newest) },
  'lets a worker claim': { roleAllows: () => true },
  'claims without asking higher-ranked peers': { waitsForHigher: () => false },
  'keeps leading after its go-ahead': { stopsAtGoAhead: () => false },
  'claims before it is ready': { mayBegin: () => true },
  'does not outbid a newer leadership whose leader is dead': { outbidsTheGone: () => false }
}

/** The broken rules of each bug under the other strategies. */
const BROKEN_LOWEST: { readonly [bug: string]: Partial<ElectionRules> } = {
  'claims although a live peer ranks lower': { waitsForHigher: () => false },
  'accepts an older leadership than its newest': { refusesOlder: () => false },
  'keeps leading after its go-ahead': { stopsAtGoAhead: () => false }
}

const BROKEN_RING: { readonly [bug: string]: Partial<ElectionRules> } = {
  'passes on the tokens of lower candidates': { passesOn: () => true },
  'claims before its token has come back': { awaitsToken: () => false },
  'claims with an epoch that is already used': { nextEpoch: newest => Math.max(1, newest) },
  'keeps leading after its go-ahead': { stopsAtGoAhead: () => false }
}

export const electionBugs = bugs('bully', BROKEN)
export const lowestBugs = bugs('lowest', BROKEN_LOWEST)
export const ringBugs = bugs('ring', BROKEN_RING)

function bugs(strategy: StrategyName, broken: { readonly [bug: string]: Partial<ElectionRules> }) {
  return bugsOfRules(
    broken,
    (rules, seed) => runSeed(seed, { below: 'ideal', strategy, rules: { ...electionRules, ...rules } })?.error.message
  )
}
