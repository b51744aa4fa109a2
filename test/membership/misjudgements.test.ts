import { expect, test } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { accusation, Bench, entry, selfRecord, sync } from './bench.ts'

/** Returns a bench with the members a and b, in which b has accused a of silence. */
function withSuspect(): Bench {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  return bench
}

function withDead(): Bench {
  const bench = withSuspect()
  bench.pass(bench.profile.suspicionMax)
  expect(bench.state('a')).toBe('dead')
  return bench
}

function refute(bench: Bench, incarnation = 1): void {
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation }) })
  expect(bench.state('a')).toBe('alive')
}

test('the refutation of a suspect counts as a false suspicion', () => {
  const bench = withSuspect()
  expect(bench.swim.stats()).toMatchObject({ falseSuspicions: 0, falseDeaths: 0 })
  refute(bench)
  expect(bench.swim.stats()).toMatchObject({ falseSuspicions: 1, falseDeaths: 0 })
})

test('a suspect that connects to this peer again counts as a false suspicion', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('suspect')
  bench.give({ type: 'connected', peer: 'a' })
  expect(bench.state('a')).toBe('alive')
  expect(bench.swim.stats()).toMatchObject({ falseSuspicions: 1, falseDeaths: 0 })
})

test('a dead member that refutes counts as a false death, and not as a second false suspicion', () => {
  const bench = withDead()
  refute(bench)
  expect(bench.swim.stats()).toMatchObject({ falseSuspicions: 0, falseDeaths: 1 })
})

test('the death of a member that returns two incarnations higher does not count as a false death, because the member had crashed', () => {
  const bench = withDead()
  refute(bench, 2)
  const suspect = withSuspect()
  refute(suspect, 2)
  for (const { swim } of [bench, suspect]) expect(swim.stats()).toMatchObject({ falseSuspicions: 0, falseDeaths: 0 })
})

test('a member that left and returns does not count as a misjudgement', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: selfRecord('a', { state: 'left', revision: 1 }) })
  refute(bench)
  expect(bench.swim.stats()).toMatchObject({ falseSuspicions: 0, falseDeaths: 0 })
})

test('new metadata of a suspect does not count as a refutation, and further records after the refutation count nothing more', () => {
  const bench = withSuspect()
  bench.give({ type: 'gossip', record: selfRecord('a', { revision: 1 }) })
  expect(bench.swim.stats().falseSuspicions).toBe(0)
  refute(bench)
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 1, revision: 1 }) })
  expect(bench.swim.stats().falseSuspicions).toBe(1)
})

test('a member that this peer learns together with accusations does not count as a misjudgement when it dies', () => {
  const bench = new Bench(['b'])
  bench.message('b', sync([entry(selfRecord('a'), [accusation('b', 'a', 'silent')], 10_000)]))
  expect(bench.state('a')).toBe('suspect')
  bench.pass(profiles.lan.suspicionMax)
  expect(bench.swim.stats()).toMatchObject({ falseSuspicions: 0, falseDeaths: 0 })
})

test('the statistics count each refutation of this peer, and count no refutation for a repeated accusation', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'me', 'silent') })
  bench.give({ type: 'gossip', record: accusation('a', 'me', 'silent') })
  expect(bench.swim.stats()).toMatchObject({ refutations: 1, localHealth: 1 })
  bench.pass(bench.profile.probeTimeout)
  bench.give({ type: 'gossip', record: accusation('b', 'me', 'silent', 1) })
  expect(bench.swim.stats().refutations).toBe(2)
})

test('unanswered probes worsen local health, and answers restore local health', () => {
  const bench = new Bench(['a'])
  expect(bench.swim.stats().localHealth).toBe(0)
  bench.pass(3 * bench.profile.period)
  expect(bench.swim.stats().localHealth).toBeGreaterThan(0)
  bench.answering.add('a')
  refute(bench)
  bench.pass(30 * bench.profile.period)
  expect(bench.swim.stats().localHealth).toBe(0)
})
