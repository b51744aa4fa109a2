import { test } from 'vitest'
import { worlds } from '../tier.ts'
import { expectNoFailure } from './failure.ts'
import { runScheduleSeed } from './schedule-scenario.ts'

test('under voters a due time has at most one job, each due time has a job or is counted as skipped, due times fire in order and one after the other, and a leader whose clock is wrong fires none', async () => {
  await expectNoFailure('schedules', worlds(500), seed => runScheduleSeed(seed))
}, 600_000)
