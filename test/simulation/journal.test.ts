import { test } from 'vitest'
import { worlds } from '../tier.ts'
import { runDurableSeed } from './durable-scenario.ts'
import { expectNoFailure } from './failure.ts'
import { runJournalSeed } from './journal-scenario.ts'

test('an acknowledged job is never lost, and ends exactly once, whichever faults occur', async () => {
  await expectNoFailure('journal', worlds(800), seed => runJournalSeed(seed))
}, 600_000)

test('under a store no leader denies an acknowledged job, even after a cut, because it reads a holder that the record names', async () => {
  await expectNoFailure('journal', worlds(600), seed => runJournalSeed(seed, undefined, { hasRecord: true }))
}, 600_000)

test('a job that was acknowledged on its disks ends, also when all peers crash at once, disks take no writes, and some are lost for ever', async () => {
  await expectNoFailure('durable', worlds(600), seed => runDurableSeed(seed))
}, 600_000)
