/** Bugs planted into the election core: each breaks one rule. */
import { type ElectionRules, electionRules } from '../../../src/election/core/rules.ts'
import { runSeed } from '../election-scenario.ts'
import { bugsOfRules } from './planted-bug.ts'

/** The broken rules of each bug. The rule `needsLease` has an effect only under a quorum, so quorum.ts breaks that rule. */
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

export const electionBugs = bugsOfRules(
  BROKEN,
  (broken, seed) => runSeed(seed, 'ideal', { ...electionRules, ...broken })?.error.message
)
