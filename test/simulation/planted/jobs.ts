/** Bugs planted into the scheduler of jobs. */
import type { SchedulerRules } from '../../../src/jobs/scheduler/rules.ts'
import { runJobsSeed } from '../jobs-scenario.ts'
import type { PlantedBugs } from './planted-bug.ts'

interface BrokenRule {
  rules: Partial<SchedulerRules>
  notice: RegExp
}

const BROKEN: { readonly [bug: string]: BrokenRule } = {
  'not onlyFromHolder': {
    rules: { partialCounts: () => true },
    notice: /counts twice|which does not have it|counts from|though it is over/
  },
  'not returnChunksOfTheGone': { rules: { requeues: () => false }, notice: /a chunk is lost|is passed over/ },
  'not keepCopied': {
    rules: { requeues: () => true },
    notice: /somebody has it|counts twice|does not have it|its partial is there/
  },
  'not oneCopyCounts': { rules: { cancelsCopies: () => false }, notice: /is not cancelled/ },
  'not claimsOffers': { rules: { acceptsOffers: () => false }, notice: /which another worker has|a chunk is lost/ },
  'not awaitsOffers': { rules: { awaitsOffers: () => false }, notice: /before all have said what they have/ },
  'not claimsStarted': {
    rules: { countsAsRunning: () => false },
    notice: /is to run announced, where quarantined is right|more than two peers/
  },
  'not ignoreLosers': {
    rules: { failureCounts: () => true },
    notice: /its partial is there|should complete|should fail|somebody has it|a chunk is lost/
  },
  'not lowestAlways': { rules: { isLowest: () => false }, notice: /a chunk is lost|is passed over/ },
  'not onlyStarted': { rules: { wasRunning: () => true }, notice: /is to run quarantined, where announced is right/ },
  'not differentPeers': {
    rules: { deadPeers: ({ length }) => length },
    notice: /is to run quarantined, where announced is right/
  },
  'not leavingIsNoDeath': {
    rules: { losesChunks: () => true },
    notice: /is to run announced, where plain is right|is to run quarantined/
  },
  'not noCopiesOfLost': { rules: { mayCopy: () => true }, notice: /started twice though peers died with it/ },
  'not tags': { rules: { hasTags: () => true }, notice: /lacks the tags/ },
  'not priority': { rules: { priorityOf: () => 0 }, notice: /is passed over/ },
  'not window': { rules: { isInWindow: () => true }, notice: /beyond the window/ },
  'not budget': { rules: { isInBudget: () => true }, notice: /over budget/ },
  'not credit': { rules: { isFull: () => false }, notice: /more than its credit/ }
}

export const jobsBugs: PlantedBugs = Object.fromEntries(
  Object.entries(BROKEN).map(([bug, { rules, notice }]) => [
    bug,
    { find: (seed: number) => runJobsSeed(seed, rules)?.error.message, notice }
  ])
)
