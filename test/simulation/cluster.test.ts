import { describe, expect, it } from 'vitest'
import { worlds } from '../tier.ts'
import { runClusterSeed } from './cluster/worlds.ts'
import { expectNoFailure } from './failure.ts'

describe('whole peers that run whole jobs', () => {
  it('whole peers end all jobs with the result of one loop, whatever fails', async () => {
    await expectNoFailure('cluster', worlds(600), runClusterSeed)
  }, 600_000)

  it.each([
    [1408, 'a voter that was started again and has nothing to show'],
    [1821, 'a member that does not answer for longer than workers are waited for'],
    [3074, 'two leaders of one epoch, of which each waits for what the other one has'],
    [9525, 'a stream of which all that kept it have died'],
    [21_641, 'two leaders of one epoch, of which one has gone on with a job already']
  ])('whole peers survive seed %i: %s', async seed => {
    expect(await runClusterSeed(seed)).toBeUndefined()
  })
})
