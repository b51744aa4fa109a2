/** Bugs planted into elections under a quorum, and into the leader's work: each breaks one rule. */
import { bullyRules } from '../../../src/election/core/rules.ts'
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
  'lease: not countFromSend': { countsFrom: (_, now) => now },
  'lease: not needMajority': { needed: () => 1 }
}

// Requests and releases are old or misnamed together: one of these two rules still keeps what the other one would.
const VOTER: { readonly [bug: string]: Partial<VoterRules> } = {
  'voter: not waitAfterStart': { grantsFrom: startedAt => startedAt },
  'voter: not keepPromise': { isBound: () => false },
  'voter: not epochsRise': { isTaken: () => false },
  'voter: not persistFirst': { mustWrite: () => false },
  'a late release counts': { isNew: () => true, releases: () => true }
}

const DUTY: { readonly [bug: string]: Partial<DutyRules> } = {
  'work: not stopInTime': { goesOn: remaining => remaining > 0 },
  'work: not endInTime': { isOver: () => false },
  'work: not keepGrace': { hasTime: () => false }
}

export const quorumBugs: PlantedBugs = {
  'nobody needs a quorum': withRules({ bully: { ...bullyRules, needsLease: () => false } }),
  'nothing waits for the disk': withRules({ persistFirst: false }),
  ...bugsOfRules(LEASE, (lease, seed) => found(seed, { lease: { ...leaseRules, ...lease } })),
  ...bugsOfRules(VOTER, (voter, seed) => found(seed, { voter: { ...voterRules, ...voter } })),
  ...bugsOfRules(DUTY, (duty, seed) => found(seed, { duty: { ...dutyRules, ...duty } }))
}
