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

/** Number of worlds in which this count is above 0. */
function some(which: 0 | 1 | 2): number {
  return counts.filter(world => world[which]! > 0).length
}

describe('the scheduler in a simulated cluster', () => {
  it('the scheduler folds every job to the result of one loop, under any seed of loss, delay, crashes, pauses and partitions', async () => {
    await expectNoFailure('jobs', worlds(900), seed => runJobsSeed(seed))
  }, 600_000)

  it('the scheduler copies slow chunks in many worlds', () => {
    expect(some(1)).toBeGreaterThan(10)
  })

  it('the scheduler quarantines chunks in many worlds', () => {
    expect(some(0)).toBeGreaterThan(5)
  })

  it('the scheduler reattaches the chunks of workers in many worlds', () => {
    expect(some(2)).toBeGreaterThan(10)
  })

  it('a seed replays exactly', () => {
    expect(simulate(7).lines).toEqual(simulate(7).lines)
  })

  it.each([
    [1967, 'a worker that was running a chunk when it was claimed, and died'],
    [76902, 'a chunk that was claimed and is slow, while another worker has not said yet what it has']
  ])('the scheduler passes seed %i: %s', seed => {
    simulate(seed)
  })
})
