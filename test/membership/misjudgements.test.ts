import { expect, test } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { accusation, Bench, entry, selfRecord, sync } from './bench.ts'

/** `me` with the members a and b, of whom a is accused. */
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

test('a suspect that refutes was falsely suspected', () => {
  const bench = withSuspect()
  expect(bench.swim.stats()).toMatchObject({ falseSuspicions: 0, falseDeaths: 0 })
  refute(bench)
  expect(bench.swim.stats()).toMatchObject({ falseSuspicions: 1, falseDeaths: 0 })
})

test('a suspect whose refusal is taken back, as it was reached after all, was falsely suspected', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('suspect')
  bench.give({ type: 'connected', peer: 'a' })
  expect(bench.state('a')).toBe('alive')
  expect(bench.swim.stats()).toMatchObject({ falseSuspicions: 1, falseDeaths: 0 })
})

test('a dead member that refutes was falsely held for dead, and not for suspect once more', () => {
  const bench = withDead()
  refute(bench)
  expect(bench.swim.stats()).toMatchObject({ falseSuspicions: 0, falseDeaths: 1 })
})

test('a member that crashed and came back, as a new run of it, was dead: its incarnation is two higher', () => {
  const bench = withDead()
  refute(bench, 2)
  const suspect = withSuspect()
  refute(suspect, 2)
  for (const { swim } of [bench, suspect]) expect(swim.stats()).toMatchObject({ falseSuspicions: 0, falseDeaths: 0 })
})

test('a member that left and came back was never falsely held for anything', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: selfRecord('a', { state: 'left', revision: 1 }) })
  refute(bench)
  expect(bench.swim.stats()).toMatchObject({ falseSuspicions: 0, falseDeaths: 0 })
})

test('new metadata of a suspect shows nothing, and it counts once however often it changes afterwards', () => {
  const bench = withSuspect()
  bench.give({ type: 'gossip', record: selfRecord('a', { revision: 1 }) })
  expect(bench.swim.stats().falseSuspicions).toBe(0)
  refute(bench)
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 1, revision: 1 }) })
  expect(bench.swim.stats().falseSuspicions).toBe(1)
})

test('whoever hears for the first time of a member, and of what was said against it, has thought nothing of it', () => {
  const bench = new Bench(['b'])
  bench.message('b', sync([entry(selfRecord('a'), [accusation('b', 'a', 'silent')], 10_000)]))
  expect(bench.state('a')).toBe('suspect')
  bench.pass(profiles.lan.suspicionMax)
  expect(bench.swim.stats()).toMatchObject({ falseSuspicions: 0, falseDeaths: 0 })
})

test('each refutation of its own is counted, and what was refuted already is not', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'me', 'silent') })
  bench.give({ type: 'gossip', record: accusation('a', 'me', 'silent') })
  expect(bench.swim.stats()).toMatchObject({ refutations: 1, localHealth: 1 })
  bench.pass(bench.profile.probeTimeout)
  bench.give({ type: 'gossip', record: accusation('b', 'me', 'silent', 1) })
  expect(bench.swim.stats().refutations).toBe(2)
})

test('local health is what the peer doubts itself by: worse with each sign of its own slowness, well again with answers', () => {
  const bench = new Bench(['a'])
  expect(bench.swim.stats().localHealth).toBe(0)
  bench.pass(3 * bench.profile.period)
  expect(bench.swim.stats().localHealth).toBeGreaterThan(0)
  bench.answering.add('a')
  refute(bench)
  bench.pass(30 * bench.profile.period)
  expect(bench.swim.stats().localHealth).toBe(0)
})
