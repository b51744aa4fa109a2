import { test } from 'vitest'
import { worlds } from '../tier.ts'
import { expectNoFailure } from './failure.ts'
import { runVotersSeed } from './voters-scenario.ts'

test('while a majority of the voters has lost nothing, no acknowledged job is denied or runs again, no epoch has two leaders, and damaged voters count again in the end', async () => {
  await expectNoFailure('voters', worlds(500), seed => runVotersSeed(seed))
}, 600_000)
