/** Bugs planted into locks under a quorum: each breaks one rule. */
import type { LockRules } from '../../../src/locks/core/rules.ts'
import { compareTickets } from '../../../src/locks/core/types.ts'
import { type LockWorldRules, runLockSeed, worldRules } from '../lock-scenario.ts'
import { bugsOfRules, type PlantedBug, type PlantedBugs } from './planted-bug.ts'

function found(seed: number, rules: LockWorldRules): string | undefined {
  return runLockSeed(seed, rules)?.error.message
}

function withRules(rules: LockWorldRules): PlantedBug {
  return { find: seed => found(seed, rules) }
}

const RULES: { readonly [bug: string]: Partial<LockRules> } = {
  'frees the locks of a peer that it holds dead': { endsWithConnection: true },
  'frees the locks of an earlier leader at once': { inheritedEndsAt: now => now },
  'frees a lock before its ttl': { endsAt: (now, ttl) => now + 0.8 * ttl },
  'counts a lock from the arrival of the answer': { countsFrom: (_, now) => now },
  'counts a lock for its whole ttl': { validFor: ttl => ttl },
  'grants at once although its peers may have lost locks': { closedFor: () => 0 },
  'gives a smaller token when its clock is set back': { token: (_, wall) => Math.floor(wall) },
  'serves those who wait in the reverse order': { order: (a, b) => compareTickets(b, a) },
  'grants a lock to one more than its limit': { hasRoom: (holders, limit) => holders <= limit }
}

export const locksBugs: PlantedBugs = {
  'tells a grant before it is replicated': withRules({
    waitsForJournal: false,
    locks: { ...worldRules, mayTell: lasts => lasts }
  }),
  'holds a lock by a clock that stops while the machine is suspended': withRules({ holdsByMonotonic: true }),
  ...bugsOfRules(RULES, (locks, seed) => found(seed, { locks: { ...worldRules, ...locks } }))
}
