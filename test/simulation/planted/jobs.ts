/** Bugs planted into the coordinator of jobs. */
import type { SchedulerRules } from '../../../src/jobs/scheduler/index.ts'
import { runJobsSeed } from '../jobs-scenario.ts'
import type { PlantedBugs } from './planted-bug.ts'

const NOTICES: { readonly [rule in keyof SchedulerRules]: RegExp } = {
  onlyFromHolder: /counts twice|which does not have it|counts from|though it is over/,
  returnChunksOfTheGone: /a chunk is lost|is passed over/,
  keepCopied: /somebody has it|counts twice|does not have it|its partial is there/,
  oneCopyCounts: /is not cancelled/,
  claimsOffers: /which another worker has|a chunk is lost/,
  awaitsOffers: /before all have said what they have/,
  claimsStarted: /is to run announced, where quarantined is right|more than two peers/,
  ignoreLosers: /its partial is there|should complete|should fail|somebody has it|a chunk is lost/,
  lowestAlways: /a chunk is lost|is passed over/,
  onlyStarted: /is to run quarantined, where announced is right/,
  differentPeers: /is to run quarantined, where announced is right/,
  leavingIsNoDeath: /is to run announced, where plain is right|is to run quarantined/,
  noCopiesOfLost: /started twice though peers died with it/,
  tags: /lacks the tags/,
  priority: /is passed over/,
  window: /beyond the window/,
  budget: /over budget/,
  credit: /more than its credit/
}

export const jobsBugs: PlantedBugs = Object.fromEntries(
  Object.entries(NOTICES).map(([rule, notice]) => [
    `not ${rule}`,
    { find: (seed: number) => runJobsSeed(seed, { [rule]: false })?.error.message, notice }
  ])
)
