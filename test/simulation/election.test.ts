import { expect, test } from 'vitest'
import { worlds } from '../tier.ts'
import { runSeed } from './election-scenario.ts'
import { expectNoFailure } from './failure.ts'

test('above an ideal failure detector, elections stay safe under faults and settle on the highest-ranked peer', async () => {
  await expectNoFailure('election', worlds(1_000), seed => runSeed(seed, 'ideal'))
}, 600_000)

test('above SWIM, elections stay safe under faults and settle on the highest-ranked peer', async () => {
  await expectNoFailure('election', worlds(600), seed => runSeed(seed, 'swim'))
}, 600_000)

test.each([1_726, 3_080, 7_814, 8_457, 9_546, 11_809, 18_798, 19_944, 22_069, 30_134])(
  'elections stay safe and settle in world %i, in which an earlier version of the election failed',
  seed => {
    for (const below of ['ideal', 'swim'] as const) expect(runSeed(seed, below)?.error).toBeUndefined()
  }
)
