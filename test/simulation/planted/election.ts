/** Bugs planted into Bully: each breaks one rule. */
import { type BullyRules, bullyRules } from '../../../src/election/core/rules.ts'
import { runSeed } from '../election-scenario.ts'
import { bugsOfRules } from './planted-bug.ts'

/** The rule about the lease means something under a quorum only: see quorum.ts. */
const BROKEN: { readonly [bug: string]: Partial<BullyRules> } = {
  'not refuseOlder': { refusesOlder: () => false },
  'not needGoAhead': { hasGoAhead: () => true },
  'not mintAbove': { nextEpoch: newest => Math.max(1, newest) },
  'not onlyElectable': { roleAllows: () => true },
  'not askHigher': { waitsForHigher: () => false },
  'not stopBeforeGoAhead': { stopsAtGoAhead: () => false },
  'not waitUntilReady': { mayBegin: () => true },
  'not outbidTheDead': { outbidsTheGone: () => false }
}

export const electionBugs = bugsOfRules(
  BROKEN,
  (broken, seed) => runSeed(seed, 'ideal', { ...bullyRules, ...broken })?.error.message
)
