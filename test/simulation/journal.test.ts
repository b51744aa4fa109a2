import { expect, test } from 'vitest'
import { JOURNAL_RULES } from '../../src/jobs/journal/journal.ts'
import { KEEPER_RULES } from '../../src/jobs/journal/keeper.ts'
import { type JournalScenarioRules, runJournalSeed } from './journal-scenario.ts'

/** Replays one world with its whole trace: JOURNAL_SEED=17 npx vitest run test/simulation/journal.test.ts */
const replay = process.env.JOURNAL_SEED
const SEEDS = 1_500

test('what was acknowledged is never lost, and ends once for all, whatever fails', () => {
  const seeds = replay === undefined ? Array.from({ length: SEEDS }, (_, i) => i + 1) : [Number(replay)]
  for (const seed of seeds) {
    const failure = runJournalSeed(seed)
    if (failure === undefined) continue
    const trace = replay === undefined ? failure.lines.slice(-60) : failure.lines
    throw new Error(`${failure.error.message}\n\nReplay with JOURNAL_SEED=${seed}:\n${trace.join('\n')}`, {
      cause: failure.error
    })
  }
}, 600_000)

const planted: Array<[string, JournalScenarioRules]> = [
  ...Object.keys(JOURNAL_RULES).map((rule): [string, JournalScenarioRules] => [
    `journal: not ${rule}`,
    { journal: { ...JOURNAL_RULES, [rule]: false } }
  ]),
  ...Object.keys(KEEPER_RULES).map((rule): [string, JournalScenarioRules] => [
    `keeper: not ${rule}`,
    { keeper: { ...KEEPER_RULES, [rule]: false } }
  ])
]

test.each(planted)('a planted bug is found: %s', (bug, rules) => {
  const found = Array.from({ length: 1_000 }, (_, i) => i + 1).find(seed => runJournalSeed(seed, rules) !== undefined)
  expect(found, `no seed noticed: ${bug}`).toBeDefined()
})
