/** Bugs planted into Bully. */
import { BULLY_RULES } from '../../../src/election/core/events.ts'
import { runSeed } from '../election-scenario.ts'
import { bugsOfRules } from './planted-bug.ts'

/** That one means something under a quorum only. */
const { 'not needQuorum': _, ...bugs } = bugsOfRules(
  BULLY_RULES,
  (rules, seed) => runSeed(seed, 'ideal', rules)?.error.message
)

export const electionBugs = bugs
