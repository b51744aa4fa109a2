import { expect, test } from 'vitest'
import { BULLY_RULES } from '../../src/election/events.ts'
import { type Below, runSeed } from './election-scenario.ts'

/** Replays one world with its whole trace: ELECTION_SEED=17 npx vitest run test/simulation/election.test.ts */
const replay = process.env.ELECTION_SEED

function seeds(count: number): number[] {
  return replay === undefined ? Array.from({ length: count }, (_, i) => i + 1) : [Number(replay)]
}

function expectNoFailure(below: Below, count: number): void {
  for (const seed of seeds(count)) {
    const failure = runSeed(seed, below)
    if (failure === undefined) continue
    const trace = replay === undefined ? failure.lines.slice(-60) : failure.lines
    throw new Error(
      `${failure.error.message}\n\nReplay with ELECTION_SEED=${seed} (above ${below} membership):\n${trace.join('\n')}`,
      { cause: failure.error }
    )
  }
}

test('above an ideal failure detector, elections stay safe under faults and settle on the highest peer', () => {
  expectNoFailure('ideal', 1_000)
}, 600_000)

test('above SWIM, elections stay safe under faults and settle on the highest peer', () => {
  expectNoFailure('swim', 600)
}, 600_000)

test.each([1_726, 3_080, 7_814, 8_457, 9_546, 11_809, 18_798, 19_944, 22_069, 30_134])(
  'a world that once failed no longer does: %i',
  seed => {
    for (const below of ['ideal', 'swim'] as const) expect(runSeed(seed, below)?.error).toBeUndefined()
  }
)

/** That one means something under a quorum only: see quorum.test.ts. */
const { needQuorum: _, ...rulesWithoutQuorum } = BULLY_RULES

test.each(Object.keys(rulesWithoutQuorum))('the invariants notice when the rule %s is broken', rule => {
  const rules = { ...BULLY_RULES, [rule]: false }
  const found = Array.from({ length: 300 }, (_, i) => i + 1).find(seed => runSeed(seed, 'ideal', rules) !== undefined)
  expect(found, `no seed noticed that ${rule} is broken`).toBeDefined()
})
