import { beforeAll, describe, expect, it } from 'vitest'
import { worlds } from '../tier.ts'
import { expectNoFailure, failureIn } from './failure.ts'
import { runJobsSeed, simulate } from './jobs-scenario.ts'

/** The counts of 40 worlds, in order: quarantined chunks, copies, and reattached chunks. */
let counts: number[][]

beforeAll(async () => {
  const seeds = Array.from({ length: 40 }, (_, i) => i + 1)
  counts = []
  const count = (seed: number): void => {
    const last = simulate(seed).lines.slice(-3)
    counts.push(last.map(line => Number.parseInt(line, 10)))
  }
  await expectNoFailure('jobs', seeds, failureIn(count))
})

/** Returns the number of worlds in which this count is above 0. */
function some(which: 0 | 1 | 2): number {
  return counts.filter(world => world[which]! > 0).length
}

describe('the scheduler in a simulated cluster', () => {
  it('the scheduler folds every job to the result of a plain loop, in worlds with loss, delay, crashes, pauses and partitions', async () => {
    await expectNoFailure('jobs', worlds(600), seed => runJobsSeed(seed))
  }, 600_000)

  it('the scheduler dispatches copies of slow chunks in many worlds', () => {
    expect(some(1)).toBeGreaterThan(10)
  })

  it('the scheduler quarantines chunks in many worlds', () => {
    expect(some(0)).toBeGreaterThan(5)
  })

  it('a new leader reattaches the chunks that workers already run in many worlds', () => {
    expect(some(2)).toBeGreaterThan(10)
  })

  it('two runs of the same seed have the same trace', () => {
    expect(simulate(7).lines).toEqual(simulate(7).lines)
  })

  it.each([
    [1967, 'a worker dies that was running a chunk when the leader claimed the chunk'],
    [76902, 'a claimed chunk is slow while another worker has not reported its chunks yet']
  ])('the scheduler folds every job correctly in the world of seed %i: %s', seed => {
    simulate(seed)
  })
})
