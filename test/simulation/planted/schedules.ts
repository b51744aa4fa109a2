/** Bugs planted into schedules: each breaks one rule. */
import type { ScheduleRules } from '../../../src/schedules/core/rules.ts'
import { runScheduleSeed, type ScheduleWorldRules } from '../schedule-scenario.ts'
import type { PlantedBug, PlantedBugs } from './planted-bug.ts'

function withWorld(rules: ScheduleWorldRules, notice: RegExp): PlantedBug {
  return { find: seed => runScheduleSeed(seed, rules)?.error.message, notice }
}

function withRules(schedules: Partial<ScheduleRules>, notice: RegExp): PlantedBug {
  return withWorld({ schedules }, notice)
}

export const schedulesBugs: PlantedBugs = {
  'starts a second job for a due time': withRules({ hasJob: () => false }, /fires again/),
  'fires before the mark of the last due time is stored': withRules({ mayGoOn: () => true }, /before the mark/),
  'writes the mark before its job is stored': withWorld({ countsUnstored: true }, /have no job/),
  'does not wait for the journal': withWorld({ waitsForJournal: false }, /before the mark|have no job|is two jobs/),
  'fires although its clock is wrong': withRules({ mayFire: () => true }, /by a clock that is/),
  'keeps a mark that is ahead of all clocks': withRules({ isWrong: () => false }, /stands still/),
  'fires too early': withRules({ isDue: (at, now) => at <= now + 1_500 }, /too early/),
  'takes all missed due times for on time': withRules({ isOnTime: () => true }, /a newer due time was missed/),
  'starts a missed due time however late it is': withRules({ isRecent: () => true }, /too late/),
  'starts jobs that overlap': withRules({ mayOverlap: () => true }, /overlaps/),
  'keeps the oldest of too many due times': withRules({ kept: (dues, most) => dues.slice(0, most) }, /is the newest/),
  'fires due times that passed while it was paused': withRules({ resumesFrom: through => through }, /was paused/),
  'fires while it is paused': withRules({ firesWhilePaused: true }, /is paused/),
  'takes over the mark of a removed schedule': withRules(
    { belongs: () => true },
    /before s\d was added|is paused|counts/
  ),
  'ignores the jitter': withRules({ delay: () => 0 }, /too early/)
}
