/** Bugs planted into the journal. */
import { JOURNAL_RULES } from '../../../src/journal/core/journal.ts'
import { KEEPER_RULES } from '../../../src/journal/core/keeper.ts'
import { type JournalScenarioRules, runJournalSeed } from '../journal-scenario.ts'
import { bugsOfRules, type PlantedBugs } from './planted-bug.ts'

function found(seed: number, rules: JournalScenarioRules): string | undefined {
  return runJournalSeed(seed, rules)?.error.message
}

export const journalBugs: PlantedBugs = {
  ...bugsOfRules(JOURNAL_RULES, (journal, seed) => found(seed, { journal }), 'journal: '),
  ...bugsOfRules(KEEPER_RULES, (keeper, seed) => found(seed, { keeper }), 'keeper: ')
}
