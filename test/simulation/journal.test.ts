import { test } from 'vitest'
import { worlds } from '../tier.ts'
import { expectNoFailure } from './failure.ts'
import { runJournalSeed } from './journal-scenario.ts'

test('an acknowledged job is never lost, and ends exactly once, whichever faults occur', async () => {
  await expectNoFailure('journal', worlds(1_500), seed => runJournalSeed(seed))
}, 600_000)
