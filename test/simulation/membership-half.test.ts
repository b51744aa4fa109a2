/** A file of its own, so that both of the test runner's workers have some of the seeds. */
import { test } from 'vitest'
import { checkSeeds } from './membership-seeds.ts'

test('in worlds of faults every view is right at any moment, and all agree afterwards (second half of the seeds)', () => {
  checkSeeds(1_501, 3_000)
}, 600_000)
