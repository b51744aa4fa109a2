import { test } from 'vitest'
import { worlds } from '../tier.ts'
import { expectNoFailure } from './failure.ts'
import { runQuorumSeed } from './quorum-scenario.ts'

test('under a quorum at most one peer leads and works at any moment, and after the faults the highest-ranked connected voter leads', async () => {
  await expectNoFailure('quorum', worlds(700), seed => runQuorumSeed(seed))
}, 600_000)
