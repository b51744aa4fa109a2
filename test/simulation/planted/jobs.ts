/** Bugs planted into the scheduler of jobs. */
import type { SchedulerRules } from '../../../src/jobs/scheduler/rules.ts'
import { runJobsSeed } from '../jobs-scenario.ts'
import type { PlantedBugs } from './planted-bug.ts'

interface BrokenRule {
  rules: Partial<SchedulerRules>
  notice: RegExp
}

const BROKEN: { readonly [bug: string]: BrokenRule } = {
  'counts partials of workers that do not have the chunk': {
    rules: { partialCounts: () => true },
    notice: /counts twice|which does not have it|counts from|though it is over/
  },
  'does not requeue the chunks of a lost worker': {
    rules: { requeues: () => false },
    notice: /a chunk is lost|is passed over/
  },
  'requeues a chunk that another worker has': {
    rules: { requeues: () => true },
    notice: /somebody has it|counts twice|does not have it|its partial is there/
  },
  'does not cancel the other copy of a finished chunk': {
    rules: { cancelsCopies: () => false },
    notice: /is not cancelled/
  },
  'does not accept the chunks that workers retain': {
    rules: { acceptsOffers: () => false },
    notice: /which another worker has|a chunk is lost/
  },
  'does not wait for offers': { rules: { awaitsOffers: () => false }, notice: /before all have said what they have/ },
  'treats a claimed running chunk as not started': {
    rules: { countsAsRunning: () => false },
    notice: /is to run announced, where quarantined is right|more than two peers/
  },
  'counts failures of workers that do not have the chunk': {
    rules: { failureCounts: () => true },
    notice: /its partial is there|should complete|should fail|somebody has it|a chunk is lost/
  },
  'holds back the lowest unfolded chunk': {
    rules: { isLowest: () => false },
    notice: /a chunk is lost|is passed over/
  },
  'quarantines chunks that had not started': {
    rules: { wasRunning: () => true },
    notice: /is to run quarantined, where announced is right/
  },
  'counts each loss of a chunk as a different peer': {
    rules: { deadPeers: ({ length }) => length },
    notice: /is to run quarantined, where announced is right/
  },
  'counts the chunks of a leaving worker as lost': {
    rules: { losesChunks: () => true },
    notice: /is to run announced, where plain is right|is to run quarantined/
  },
  'copies a chunk that was lost with a peer': {
    rules: { mayCopy: () => true },
    notice: /started twice though peers died with it/
  },
  'ignores the required tags': { rules: { hasTags: () => true }, notice: /lacks the tags/ },
  'ignores the priority of jobs': { rules: { priorityOf: () => 0 }, notice: /is passed over/ },
  'dispatches chunks beyond the window': { rules: { isInWindow: () => true }, notice: /beyond the window/ },
  'exceeds the memory budget': { rules: { isInBudget: () => true }, notice: /over budget/ },
  'gives a worker more chunks than its credit': { rules: { isFull: () => false }, notice: /more than its credit/ }
}

export const jobsBugs: PlantedBugs = Object.fromEntries(
  Object.entries(BROKEN).map(([bug, { rules, notice }]) => [
    bug,
    { find: (seed: number) => runJobsSeed(seed, rules)?.error.message, notice }
  ])
)
