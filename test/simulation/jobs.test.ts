import { describe, expect, it } from 'vitest'
import type { CoordinatorRules } from '../../src/jobs/coordinator-types.ts'
import { simulate } from './jobs-scenario.ts'

const SEEDS = Number(process.env.P2P_WORKER_SEEDS ?? 300)
const FIRST_SEED = Number(process.env.P2P_WORKER_SEED ?? 1)

/** The first seed at which the simulation finds something, and what. */
function search(seeds: number, rules: Partial<CoordinatorRules>): { seed: number; error: Error } | undefined {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
    try {
      simulate(seed, rules)
    } catch (error) {
      return { seed, error: error as Error }
    }
  }
  return undefined
}

describe('the coordinator in a simulated cluster', () => {
  it(`folds every job to the result of one loop, for ${SEEDS} seeds of loss, delay, crashes, pauses and cuts`, () => {
    const found = search(SEEDS, {})
    if (found !== undefined) {
      throw new Error(
        `seed ${found.seed}: ${found.error.message}\nreplay: P2P_WORKER_SEED=${found.seed} P2P_WORKER_SEEDS=1 npx vitest run test/simulation/jobs.test.ts`,
        { cause: found.error }
      )
    }
  }, 60_000)

  it('replays a seed to the letter', () => {
    expect(simulate(7).lines).toEqual(simulate(7).lines)
  })

  it.each<[keyof CoordinatorRules, RegExp]>([
    ['onlyFromHolder', /counts twice|which does not have it|counts from|though it is over/],
    ['returnChunksOfTheGone', /a chunk is lost/],
    ['lowestAlways', /a chunk is lost/],
    ['window', /beyond the window/],
    ['budget', /over budget/],
    ['credit', /more than its credit/]
  ])(
    'notices when the rule %s is broken',
    (rule, notice) => {
      const found = search(SEEDS, { [rule]: false })
      expect(found?.error.message, `no seed of ${SEEDS} shows it`).toMatch(notice)
    },
    60_000
  )
})
