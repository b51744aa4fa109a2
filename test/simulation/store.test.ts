import { test } from 'vitest'
import { worlds } from '../tier.ts'
import { expectNoFailure } from './failure.ts'
import { runStoreSeed } from './store-scenario.ts'

test('in the race for a lease at most one peer leads and works at any moment, and after the faults the peer with the highest priority that reaches the store leads', async () => {
  await expectNoFailure('store', worlds(800), seed => runStoreSeed(seed))
}, 600_000)
