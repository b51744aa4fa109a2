import { describe, expect, it } from 'vitest'
import { worlds } from '../tier.ts'
import { runClusterSeed } from './cluster/worlds.ts'
import { expectNoFailure } from './failure.ts'

describe('whole peers that run whole jobs', () => {
  it('whole peers end all jobs with the same results as a plain loop, whichever faults occur', async () => {
    await expectNoFailure('cluster', worlds(300), runClusterSeed)
  }, 600_000)

  it.each([
    [1408, 'a restarted voter has no journal entries to report'],
    [1821, 'a member does not answer for longer than the leader waits for workers'],
    [3074, 'two leaders of the same epoch each wait for the entries of the other leader'],
    [9525, 'all peers that kept a stream have died'],
    [21_641, 'one of two leaders of the same epoch has already continued a job'],
    [647_080_135, 'a leader stops in the turn in which it would send the entries of locks']
  ])('whole peers end all jobs correctly in the world of seed %i: %s', async seed => {
    expect(await runClusterSeed(seed)).toBeUndefined()
  })
})
