import { expect, test } from 'vitest'
import { BUGS } from './membership-bugs.ts'
import { type Bug, type Outcome, runSeed } from './membership-scenario.ts'
import { Violation } from './membership-truth.ts'

/** Within so many seeds a bug must show. */
const SEEDS = 1_000
/** Where to look first for those that few worlds show. What changes the worlds moves them: then all of the seeds are looked through. */
const KNOWN: { readonly [bug: string]: number } = {
  'never tries the dead again': 50,
  'takes a nack for an ack, and believes others without proof': 817
}

function find(name: string, bug: Bug): Outcome | undefined {
  const known = KNOWN[name] ?? 1
  for (let i = 0; i < SEEDS; i++) {
    const outcome = runSeed(((known - 1 + i) % SEEDS) + 1, bug)
    if (outcome.failure !== undefined) return outcome
  }
  return undefined
}

test.each(Object.entries(BUGS))('the invariants notice a core that %s', (name, bug) => {
  const outcome = find(name, bug)
  expect(outcome?.failure).toBeInstanceOf(Violation)
})
