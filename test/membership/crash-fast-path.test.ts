import { expect, test } from 'vitest'
import { accusation, Bench, entry, selfRecord, sync } from './bench.ts'

test('refusals seen by this peer and by another peer prove a crash', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('suspect')
  expect(bench.gossiped()).toEqual([accusation('me', 'a', 'refused').record])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('dead')
})

test('refusals seen by two other peers prove a crash', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
  bench.give({ type: 'gossip', record: accusation('c', 'a', 'refused') })
  expect(bench.state('a')).toBe('dead')
})

test('two accusations by the same observer count as one observer', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  expect(bench.state('a')).toBe('suspect')
})

test('a witness of a refusal stays a witness when it accuses of silence later', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
})

test('a refusal and a silence do not prove a crash', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  expect(bench.state('a')).toBe('suspect')
})

test('a refusal seen by one observer proves a crash if nobody else can be a witness', () => {
  const bench = new Bench(['a'])
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
})

test('a refusal seen by one other observer does not prove a crash if this peer saw nothing itself', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
})

test('a peer does not wait for witnesses that refuse as well, so it finds several crashes at once', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'refused', peer: 'b' })
  expect([bench.state('a'), bench.state('b')]).toEqual(['suspect', 'suspect'])
  bench.give({ type: 'refused', peer: 'c' })
  expect([bench.state('a'), bench.state('b'), bench.state('c')]).toEqual(['dead', 'dead', 'dead'])
})

test('a peer does not wait for a witness that leaves', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'gossip', record: selfRecord('b', { state: 'left', revision: 1 }) })
  expect(bench.state('a')).toBe('dead')
})

test('a new connection withdraws the refusal that this peer saw', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'connected', peer: 'a' })
  expect(bench.state('a')).toBe('alive')
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
})

test('a withdrawn refusal returns only by a new refusal, not by gossip', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'connected', peer: 'a' })
  bench.message('b', sync([entry(selfRecord('a'), [accusation('me', 'a', 'refused')])]))
  expect(bench.state('a')).toBe('alive')
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
})

test('a refusal that this peer saw before its restart counts, since it was not withdrawn', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.message(
    'b',
    sync([entry(selfRecord('a'), [accusation('me', 'a', 'refused'), accusation('b', 'a', 'refused')])])
  )
  expect(bench.state('a')).toBe('dead')
})

test('a dead member stays dead until it refutes, and gets the evidence when it connects', () => {
  const bench = new Bench(['a'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.clear()
  bench.give({ type: 'connected', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
  const [told] = bench.sent('sync', 'a')
  const evidence = told!.entries.find(({ record }) => record.record.member === 'a')!.accusations
  expect(evidence.map(({ record }) => record)).toEqual([accusation('me', 'a', 'refused').record])
})

test('refusals that accuse different incarnations do not add up', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused', 0) })
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 1 }) })
  bench.give({ type: 'gossip', record: accusation('c', 'a', 'refused', 1) })
  expect(bench.state('a')).toBe('suspect')
})

test('a member is not a witness against itself', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'gossip', record: accusation('a', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
})

test('a refusal replaces one of many accusations of silence', () => {
  const bench = new Bench(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  for (const id of ['b', 'c', 'd', 'e', 'f']) bench.give({ type: 'gossip', record: accusation(id, 'a', 'silent') })
  bench.give({ type: 'gossip', record: accusation('g', 'a', 'refused') })
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
})
