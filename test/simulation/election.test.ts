import { expect, test } from 'vitest'
import { STRATEGIES } from '../../src/election/core/strategies/names.ts'
import { worlds } from '../tier.ts'
import { runSeed } from './election-scenario.ts'
import { expectNoFailure } from './failure.ts'

test('above an ideal failure detector, elections stay safe under faults and settle on the highest-ranked peer', async () => {
  await expectNoFailure('election', worlds(600), seed => runSeed(seed, { below: 'ideal' }))
}, 600_000)

test('above SWIM, elections stay safe under faults and settle on the highest-ranked peer', async () => {
  await expectNoFailure('election', worlds(400), seed => runSeed(seed, { below: 'swim' }))
}, 600_000)

test.each(['lowest', 'ring'] as const)(
  'under the strategy %s, elections stay safe under faults and settle on the peer that ranks highest',
  async strategy => {
    const seeds = worlds(1_200)
    await expectNoFailure(strategy, seeds.slice(0, (2 * seeds.length) / 3), seed =>
      runSeed(seed, { below: 'ideal', strategy })
    )
    await expectNoFailure(strategy, seeds.slice((2 * seeds.length) / 3), seed =>
      runSeed(seed, { below: 'swim', strategy })
    )
  },
  600_000
)

test.each(STRATEGIES)(
  'under the strategy %s, elections settle on the peer that ranks highest although priorities change',
  async strategy => {
    const seeds = worlds(300)
    await expectNoFailure(strategy, seeds, seed => runSeed(seed, { below: 'ideal', strategy, changes: true }))
    await expectNoFailure(strategy, seeds, seed => runSeed(seed, { below: 'swim', strategy, changes: true }))
  },
  600_000
)

test.each([374, 414, 6_087, 1_047_617])(
  'under the strategy ring, elections stay safe and settle in world %i, in which an earlier version failed',
  seed => {
    for (const below of ['ideal', 'swim'] as const)
      expect(runSeed(seed, { below, strategy: 'ring' })?.error).toBeUndefined()
  }
)

test.each([1_726, 3_080, 7_814, 8_457, 9_546, 11_809, 18_798, 19_944, 22_069, 30_134])(
  'elections stay safe and settle in world %i, in which an earlier version of the election failed',
  seed => {
    for (const below of ['ideal', 'swim'] as const) expect(runSeed(seed, { below })?.error).toBeUndefined()
  }
)
