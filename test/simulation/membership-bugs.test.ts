import { expect, test } from 'vitest'
import { BUGS } from './membership-bugs.ts'
import { type Bug, type Outcome, runSeed } from './membership-scenario.ts'
import { Violation } from './membership-truth.ts'

/** Within so many seeds a bug must show. */
const SEEDS = 1_000

function find(bug: Bug): Outcome | undefined {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const outcome = runSeed(seed, bug)
    if (outcome.failure !== undefined) return outcome
  }
  return undefined
}

test.each(Object.entries(BUGS))(
  'the invariants notice a core that %s',
  (_, bug) => {
    const outcome = find(bug)
    expect(outcome?.failure).toBeInstanceOf(Violation)
  },
  120_000
)
