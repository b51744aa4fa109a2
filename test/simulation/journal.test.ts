import { test } from 'vitest'
import { worlds } from '../tier.ts'
import { expectNoFailure } from './failure.ts'
import { runJournalSeed } from './journal-scenario.ts'

test('what was acknowledged is never lost, and ends once for all, whatever fails', async () => {
  await expectNoFailure('journal', worlds(1_500), seed => runJournalSeed(seed))
}, 600_000)
