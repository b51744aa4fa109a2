import { expect, test } from 'vitest'
import { BULLY_RULES } from '../../src/election/events.ts'
import { GRANTOR_RULES } from '../../src/election/grantor.ts'
import { LEASE_RULES } from '../../src/election/lease.ts'
import { DUTY_RULES } from '../../src/lead/duty.ts'
import { type QuorumRules, runQuorumSeed } from './quorum-scenario.ts'

/** Replays one world with its whole trace: QUORUM_SEED=17 npx vitest run test/simulation/quorum.test.ts */
const replay = process.env.QUORUM_SEED
const SEEDS = 1_400

test('under a quorum at most one leads, and does the work of the leader, at any moment, whatever fails, and in the end the highest does', () => {
  const seeds = replay === undefined ? Array.from({ length: SEEDS }, (_, i) => i + 1) : [Number(replay)]
  for (const seed of seeds) {
    const failure = runQuorumSeed(seed)
    if (failure === undefined) continue
    const trace = replay === undefined ? failure.lines.slice(-60) : failure.lines
    throw new Error(`${failure.error.message}\n\nReplay with QUORUM_SEED=${seed}:\n${trace.join('\n')}`, {
      cause: failure.error
    })
  }
}, 600_000)

const planted: Array<[string, QuorumRules]> = [
  ['nobody needs a quorum', { bully: { ...BULLY_RULES, needQuorum: false } }],
  ...Object.keys(LEASE_RULES).map((rule): [string, QuorumRules] => [
    `lease: not ${rule}`,
    { lease: { ...LEASE_RULES, [rule]: false } }
  ]),
  // Each of these two makes up for the other.
  ...Object.keys(GRANTOR_RULES)
    .filter(rule => rule !== 'ignoreOlder' && rule !== 'releaseByName')
    .map((rule): [string, QuorumRules] => [`grantor: not ${rule}`, { grantor: { ...GRANTOR_RULES, [rule]: false } }]),
  ['a late release counts', { grantor: { ...GRANTOR_RULES, ignoreOlder: false, releaseByName: false } }],
  ...Object.keys(DUTY_RULES).map((rule): [string, QuorumRules] => [
    `work: not ${rule}`,
    { duty: { ...DUTY_RULES, [rule]: false } }
  ])
]

test.each(planted)('a planted bug is found: %s', (bug, rules) => {
  const found = Array.from({ length: 1_000 }, (_, i) => i + 1).find(seed => runQuorumSeed(seed, rules) !== undefined)
  expect(found, `no seed noticed: ${bug}`).toBeDefined()
})
