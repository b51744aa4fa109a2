/** Bugs planted into elections under a quorum, and into the leader's work. */
import { BULLY_RULES } from '../../../src/election/core/events.ts'
import { GRANTOR_RULES } from '../../../src/election/quorum/grantor.ts'
import { LEASE_RULES } from '../../../src/election/quorum/lease.ts'
import { DUTY_RULES } from '../../../src/lead/duty.ts'
import { type QuorumRules, runQuorumSeed } from '../quorum-scenario.ts'
import { bugsOfRules, type PlantedBug, type PlantedBugs } from './planted-bug.ts'

function found(seed: number, rules: QuorumRules): string | undefined {
  return runQuorumSeed(seed, rules)?.error.message
}

function withRules(rules: QuorumRules): PlantedBug {
  return { find: seed => found(seed, rules) }
}

// These two are left out: without one of them, the other still keeps the rule.
const {
  'grantor: not ignoreOlder': _,
  'grantor: not releaseByName': __,
  ...grantorBugs
} = bugsOfRules(GRANTOR_RULES, (grantor, seed) => found(seed, { grantor }), 'grantor: ')

export const quorumBugs: PlantedBugs = {
  'nobody needs a quorum': withRules({ bully: { ...BULLY_RULES, needQuorum: false } }),
  ...bugsOfRules(LEASE_RULES, (lease, seed) => found(seed, { lease }), 'lease: '),
  ...grantorBugs,
  'a late release counts': withRules({ grantor: { ...GRANTOR_RULES, ignoreOlder: false, releaseByName: false } }),
  ...bugsOfRules(DUTY_RULES, (duty, seed) => found(seed, { duty }), 'work: ')
}
