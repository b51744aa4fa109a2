import { expect, test } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { type SwimRules, swimRules } from '../../src/membership/rules.ts'
import { crashSeveral, pauseSome } from './membership-calm.ts'
import { runSeed } from './membership-scenario.ts'

/** Replays one seed with its trace: `SEED=1234 npx vitest run test/simulation/membership.test.ts`. */
const replay = process.env.SEED === undefined ? undefined : Number(process.env.SEED)
const SEEDS = 400

function firstFailure(seeds: number, rules?: SwimRules): { seed: number; error: Error; lines: string[] } | undefined {
  for (let seed = 1; seed <= seeds; seed++) {
    const failure = runSeed(seed, rules)
    if (failure !== undefined) return failure
  }
  return undefined
}

if (replay !== undefined) {
  test('a seed replays', () => {
    const failure = runSeed(replay)
    if (failure !== undefined) {
      console.log(failure.lines.join('\n'))
      throw failure.error
    }
  })
}

test.skipIf(replay !== undefined)(
  `${SEEDS} worlds of faults: no view goes back or ahead of its member, left stays left, and all agree afterwards`,
  () => {
    const begin = performance.now()
    const failure = firstFailure(SEEDS)
    if (failure !== undefined) {
      const tail = failure.lines.slice(-60).join('\n')
      throw new Error(`seed ${failure.seed} (SEED=${failure.seed} replays it): ${failure.error.message}\n${tail}`, {
        cause: failure.error
      })
    }
    const seconds = (performance.now() - begin) / 1_000
    console.log(`membership simulation: ${SEEDS} seeds, ${(SEEDS / seconds).toFixed(0)} seeds/s`)
  },
  120_000
)

test.skipIf(replay !== undefined)('the same seed gives the same run', () => {
  const lines = [1, 2].map(() => {
    const trace: string[] = []
    runSeed(7, undefined, trace)
    return trace
  })
  expect(lines[0]!.length).toBeGreaterThan(100)
  expect(lines[0]).toEqual(lines[1])
})

const planted: Array<[string, Partial<SwimRules>]> = [
  ['refutation is ignored', { mustRefute: () => false }],
  ['an old record is accepted', { supersedes: () => true }],
  ['left can be undone within its incarnation', { supersedes: (a, b) => newer(a, b) }],
  [
    'an accusation counts against any incarnation',
    { counts: (accusation, record) => record.state === 'alive' && accusation.target === record.member }
  ],
  ['a restarted member does not go above its earlier life', { mustGoAbove: () => false }],
  ['one refusal proves a crash', { provesCrash: ({ accusers }) => accusers.size >= 1 }]
]

function newer(...[incoming, current]: Parameters<SwimRules['supersedes']>): boolean {
  return (
    incoming.incarnation > current.incarnation ||
    (incoming.incarnation === current.incarnation &&
      (incoming.state !== current.state || incoming.revision > current.revision))
  )
}

test.skipIf(replay !== undefined).each(planted)('a planted bug is found: %s', (_, bug) => {
  const failure = firstFailure(SEEDS, { ...swimRules, ...bug })
  expect(failure).toBeDefined()
})

const CALM_SEEDS = 40

function eachSeed(run: (seed: number) => void): void {
  for (let seed = 1; seed <= CALM_SEEDS; seed++) run(seed)
}

test.skipIf(replay !== undefined)('however many crash at once, the others know it within 50 ms', () => {
  eachSeed(seed => crashSeveral(seed))
})

const slow: Array<[string, Partial<SwimRules>]> = [
  ['refusals prove nothing', { provesCrash: () => false }],
  ['a second witness is awaited where there is none', { provesCrash: ({ accusers }) => accusers.size >= 2 }]
]

test.skipIf(replay !== undefined).each(slow)('a planted bug is found: %s', (_, bug) => {
  expect(() => eachSeed(seed => crashSeveral(seed, { rules: { ...swimRules, ...bug } }))).toThrow(/not dead/)
})

test.skipIf(replay !== undefined)('a peer that was paused never doubts one that was there all the time', () => {
  eachSeed(seed => pauseSome(seed))
})

test.skipIf(replay !== undefined)('a planted bug is found: a paused peer does not doubt itself', () => {
  const profile = { ...profiles.lan, stallTolerance: Number.POSITIVE_INFINITY }
  expect(() => eachSeed(seed => pauseSome(seed, { profile }))).toThrow(/never away/)
})
