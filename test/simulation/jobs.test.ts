import { describe, expect, it } from 'vitest'
import type { CoordinatorRules } from '../../src/jobs/coordinator-types.ts'
import { simulate } from './jobs-scenario.ts'

const SEEDS = Number(process.env.P2P_WORKER_SEEDS ?? 900)
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
  }, 600_000)

  it('starts slow chunks a second time in many of its worlds', () => {
    const started = Array.from({ length: 40 }, (_, i) => Number.parseInt(simulate(i + 1).lines.at(-2)!, 10))
    expect(started.filter(copies => copies > 0).length).toBeGreaterThan(10)
  })

  it('runs chunks alone in many of its worlds', () => {
    const ran = Array.from({ length: 40 }, (_, i) => Number.parseInt(simulate(i + 1).lines.at(-3)!, 10))
    expect(ran.filter(alone => alone > 0).length).toBeGreaterThan(5)
  })

  it('has leaders go on with what workers have in many of its worlds', () => {
    const claimed = Array.from({ length: 40 }, (_, i) => Number.parseInt(simulate(i + 1).lines.at(-1)!, 10))
    expect(claimed.filter(chunks => chunks > 0).length).toBeGreaterThan(10)
  })

  it('replays a seed to the letter', () => {
    expect(simulate(7).lines).toEqual(simulate(7).lines)
  })

  it.each([
    [1967, 'a worker that was running a chunk when it was claimed, and died'],
    [76902, 'a chunk that was claimed and is slow, while another worker has not said yet what it has']
  ])('passes seed %i: %s', seed => {
    simulate(seed)
  })

  it.each<[keyof CoordinatorRules, RegExp]>([
    ['onlyFromHolder', /counts twice|which does not have it|counts from|though it is over/],
    ['returnChunksOfTheGone', /a chunk is lost|is passed over/],
    ['keepCopied', /somebody has it|counts twice|does not have it|its partial is there/],
    ['oneCopyCounts', /is not cancelled/],
    ['claimsOffers', /which another worker has|a chunk is lost/],
    ['awaitsOffers', /before all have said what they have/],
    ['claimsStarted', /is to run announced, where alone is right|more than two peers/],
    ['ignoreLosers', /its partial is there|should complete|should fail|somebody has it|a chunk is lost/],
    ['lowestAlways', /a chunk is lost|is passed over/],
    ['onlyStarted', /is to run alone, where announced is right/],
    ['differentPeers', /is to run alone, where announced is right/],
    ['leavingIsNoDeath', /is to run announced, where plain is right|is to run alone/],
    ['noCopiesOfLost', /started twice though peers died with it/],
    ['tags', /lacks the tags/],
    ['priority', /is passed over/],
    ['window', /beyond the window/],
    ['budget', /over budget/],
    ['credit', /more than its credit/]
  ])('notices when the rule %s is broken', (rule, notice) => {
    const found = search(SEEDS, { [rule]: false })
    expect(found?.error.message, `no seed of ${SEEDS} shows it`).toMatch(notice)
  })
})
