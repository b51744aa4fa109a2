import { expect, test } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { type SwimRules, swimRules } from '../../src/membership/rules.ts'
import { crashSeveral, pauseSome } from './membership-calm.ts'
import { runSeed } from './membership-scenario.ts'
import { checkSeeds } from './membership-seeds.ts'

test('in worlds of faults every view is right at any moment, and all agree afterwards (first half of the seeds)', () => {
  checkSeeds(1, 1_500)
}, 600_000)

test('the same seed gives the same run', () => {
  const [first, second] = [1, 2].map(() => runSeed(7))
  expect(first!.lines.length).toBeGreaterThan(100)
  expect(second!.lines).toEqual(first!.lines)
  expect(second!.steps).toBe(first!.steps)
})

const CALM_SEEDS = 40

function eachSeed(run: (seed: number) => void): void {
  for (let seed = 1; seed <= CALM_SEEDS; seed++) run(seed)
}

test('however many crash at once, the others know it within 50 ms', () => {
  eachSeed(seed => crashSeveral(seed))
})

const slow: Array<[string, Partial<SwimRules>]> = [
  ['refusals prove nothing', { provesCrash: () => false }],
  ['a second witness is awaited where there is none', { provesCrash: ({ accusers }) => accusers.size >= 2 }]
]

test.each(slow)('a planted bug is found: %s', (_, bug) => {
  expect(() => eachSeed(seed => crashSeveral(seed, { rules: { ...swimRules, ...bug } }))).toThrow(/not dead/)
})

test('a peer that was paused never doubts one that was there all the time', () => {
  eachSeed(seed => pauseSome(seed))
})

test('a planted bug is found: a paused peer does not doubt itself', () => {
  const profile = { ...profiles.lan, stallTolerance: Number.POSITIVE_INFINITY }
  expect(() => eachSeed(seed => pauseSome(seed, { profile }))).toThrow(/never away/)
})
