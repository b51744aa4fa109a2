/** Bugs planted into elections under a quorum, and into the leader's work: each breaks one rule. */
import { electionRules } from '../../../src/election/core/rules.ts'
import { type LeaseRules, leaseRules } from '../../../src/election/quorum/lease.ts'
import { type VoterRules, voterRules } from '../../../src/election/quorum/voter.ts'
import { type DutyRules, dutyRules } from '../../../src/lead/duty.ts'
import { type QuorumRules, runQuorumSeed } from '../quorum-scenario.ts'
import { bugsOfRules, type PlantedBug, type PlantedBugs } from './planted-bug.ts'

function found(seed: number, rules: QuorumRules): string | undefined {
  return runQuorumSeed(seed, rules)?.error.message
}

function withRules(rules: QuorumRules): PlantedBug {
  return { find: seed => found(seed, rules) }
}

const LEASE: { readonly [bug: string]: Partial<LeaseRules> } = {
  'counts a grant from its arrival': { countsFrom: (_, now) => now },
  'holds a lease with a single grant': { needed: () => 1 }
}

// The last bug breaks two rules, because each of these rules alone already rejects a delayed release.
const VOTER: { readonly [bug: string]: Partial<VoterRules> } = {
  'grants at once after the start of the voter': { grantsFrom: startedAt => startedAt },
  'grants a second holder before the promise ends': { isBound: () => false },
  'grants an epoch that is not above its last promise': { isTaken: () => false },
  'grants before the promise is on disk': { mustWrite: () => false },
  'frees a voter by a late release': { isNew: () => true, releases: () => true }
}

const DUTY: { readonly [bug: string]: Partial<DutyRules> } = {
  'lets its work go on until the lease ends': { goesOn: remaining => remaining > 0 },
  'does not end its process when the work outlasts the lease': { isOver: () => false },
  'ends its process before the grace of the work is over': { hasTime: () => false }
}

export const quorumBugs: PlantedBugs = {
  'claims without a lease': withRules({ election: { ...electionRules, needsLease: () => false } }),
  'sends a leadership before it is on disk': withRules({ persistFirst: false }),
  ...bugsOfRules(LEASE, (lease, seed) => found(seed, { lease: { ...leaseRules, ...lease } })),
  ...bugsOfRules(VOTER, (voter, seed) => found(seed, { voter: { ...voterRules, ...voter } })),
  ...bugsOfRules(DUTY, (duty, seed) => found(seed, { duty: { ...dutyRules, ...duty } }))
}
