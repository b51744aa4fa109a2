/** What the tests say about a range of seeds of the membership simulation. */
import { expect } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { FAULT_KINDS, LEAST_KINDS } from './membership-faults.ts'
import { report, runSeed } from './membership-scenario.ts'

/** In most worlds gossip has told all by the time the faults end, and two push-pulls tell the rest: the bound is for the worst. */
const USUALLY_MS = 2 * profiles.lan.pushPullInterval
const USUAL_SHARE = 0.99

/** Runs the worlds of these seeds: all must hold, and each must have been what a world has to be (docs/architecture.md). */
export function checkSeeds(first: number, last: number): void {
  const kinds = new Set<string>()
  let usual = 0
  const begin = performance.now()
  for (let seed = first; seed <= last; seed++) {
    const outcome = runSeed(seed)
    if (outcome.failure !== undefined) throw new Error(report(outcome), { cause: outcome.failure })
    expect(outcome.size).toBeGreaterThanOrEqual(5)
    expect(outcome.duration).toBeGreaterThanOrEqual(60_000)
    expect(outcome.kinds.size).toBeGreaterThanOrEqual(LEAST_KINDS)
    expect(outcome.agreedAfter).toBeLessThanOrEqual(outcome.bound)
    if (outcome.agreedAfter <= USUALLY_MS) usual += 1
    for (const kind of outcome.kinds) kinds.add(kind)
  }
  expect(usual / (last - first + 1)).toBeGreaterThan(USUAL_SHARE)
  expect([...kinds].sort()).toEqual([...FAULT_KINDS, 'restart'].sort())
  const rate = (last - first + 1) / ((performance.now() - begin) / 1_000)
  console.log(`membership simulation: seeds ${first} to ${last}, ${rate.toFixed(0)} a second`)
}
