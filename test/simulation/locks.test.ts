import { test } from 'vitest'
import { worlds } from '../tier.ts'
import { expectNoFailure } from './failure.ts'
import { runLockSeed } from './lock-scenario.ts'

test('under a quorum no lock has more holders than its limit at any moment, tokens grow, those who wait are served in order, and after the faults every peer gets every lock', async () => {
  await expectNoFailure('locks', worlds(600), seed => runLockSeed(seed))
}, 600_000)
