import { expect, test } from 'vitest'
import { accusation, Bench, entry, selfRecord, sync } from './bench.ts'

test('two independent observers who find a member refused are proof that it crashed', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('suspect')
  expect(bench.gossiped()).toEqual([accusation('me', 'a', 'refused').record])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('dead')
})

test('two others are proof as well', () => {
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

test('a witness that accuses of silence later stays a witness of the refusal', () => {
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

test('where nobody else could be a witness, one observer is enough', () => {
  const bench = new Bench(['a'])
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
})

test('one other is not enough where this peer saw nothing itself', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
})

test('members found refused themselves are not awaited as witnesses: several that crash at once are found at once', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'refused', peer: 'b' })
  expect([bench.state('a'), bench.state('b')]).toEqual(['suspect', 'suspect'])
  bench.give({ type: 'refused', peer: 'c' })
  expect([bench.state('a'), bench.state('b'), bench.state('c')]).toEqual(['dead', 'dead', 'dead'])
})

test('a witness that leaves is awaited no longer', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'gossip', record: selfRecord('b', { state: 'left', revision: 1 }) })
  expect(bench.state('a')).toBe('dead')
})

test('a new connection cancels what this peer saw', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'connected', peer: 'a' })
  expect(bench.state('a')).toBe('alive')
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
})

test('what a new connection cancelled does not come back by gossip, but by a new refusal', () => {
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

test('what it said in an earlier life counts, as it took nothing of that back', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.message(
    'b',
    sync([entry(selfRecord('a'), [accusation('me', 'a', 'refused'), accusation('b', 'a', 'refused')])])
  )
  expect(bench.state('a')).toBe('dead')
})

test('a member that is dead stays so until it refutes, and is told when it connects', () => {
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

test('what a member says of itself is no witness against it', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'gossip', record: accusation('a', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
})

test('a refusal finds its place among many accusations of silence', () => {
  const bench = new Bench(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  for (const id of ['b', 'c', 'd', 'e', 'f']) bench.give({ type: 'gossip', record: accusation(id, 'a', 'silent') })
  bench.give({ type: 'gossip', record: accusation('g', 'a', 'refused') })
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
})
