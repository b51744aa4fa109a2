import { expect, test } from 'vitest'
import { accusation, Bench, entry, selfRecord, sync } from './bench.ts'

test('refusals seen by this peer and another one prove a crash', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('suspect')
  expect(bench.gossiped()).toEqual([accusation('me', 'a', 'refused').record])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('dead')
})

test('refusals seen by two others prove a crash', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
  bench.give({ type: 'gossip', record: accusation('c', 'a', 'refused') })
  expect(bench.state('a')).toBe('dead')
})

test('the same observer twice is one observer', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  expect(bench.state('a')).toBe('suspect')
})

test('a witness of a refusal that accuses of silence later stays a witness', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
})

test('a refusal and a silence are no proof', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  expect(bench.state('a')).toBe('suspect')
})

test('one observer is enough where nobody else can be a witness', () => {
  const bench = new Bench(['a'])
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
})

test('one other observer is not enough where this peer saw nothing itself', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
})

test('a peer does not wait for witnesses that refuse, too: several crashes at once are found at once', () => {
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

test('a new connection withdraws the refusal of this peer', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'connected', peer: 'a' })
  expect(bench.state('a')).toBe('alive')
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
})

test('a withdrawn refusal does not return by gossip, but by a new refusal', () => {
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

test('a refusal by this peer from before its restart counts, since it was not withdrawn', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.message(
    'b',
    sync([entry(selfRecord('a'), [accusation('me', 'a', 'refused'), accusation('b', 'a', 'refused')])])
  )
  expect(bench.state('a')).toBe('dead')
})

test('a dead member stays dead until it refutes, and is told when it connects', () => {
  const bench = new Bench(['a'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.clear()
  bench.give({ type: 'connected', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
  const [told] = bench.sent('sync', 'a')
  const evidence = told!.entries.find(({ record }) => record.record.member === 'a')!.accusations
  expect(evidence.map(({ record }) => record)).toEqual([accusation('me', 'a', 'refused').record])
})

test('refusals against different incarnations do not add up', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused', 0) })
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 1 }) })
  bench.give({ type: 'gossip', record: accusation('c', 'a', 'refused', 1) })
  expect(bench.state('a')).toBe('suspect')
})

test('a member is no witness against itself', () => {
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
