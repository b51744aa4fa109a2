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

test('the refusal of an observer still counts when the observer accuses the same member of silence later', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
})

test('a refusal seen by this peer and an accusation of silence by another peer do not prove a crash', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  expect(bench.state('a')).toBe('suspect')
})

test('a refusal seen by one observer proves a crash if the cluster has no other possible observer', () => {
  const bench = new Bench(['a'])
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
})

test('a refusal seen only by another peer does not prove a crash to this peer', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
})

test('a peer does not wait for observers that have crashed as well, so it detects three crashes at the same time', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'refused', peer: 'b' })
  expect([bench.state('a'), bench.state('b')]).toEqual(['suspect', 'suspect'])
  bench.give({ type: 'refused', peer: 'c' })
  expect([bench.state('a'), bench.state('b'), bench.state('c')]).toEqual(['dead', 'dead', 'dead'])
})

test('a peer does not wait for an observer that has left', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'gossip', record: selfRecord('b', { state: 'left', revision: 1 }) })
  expect(bench.state('a')).toBe('dead')
})

test('a peer withdraws a refusal that it saw when the accused member connects again', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'connected', peer: 'a' })
  expect(bench.state('a')).toBe('alive')
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
})

test('a withdrawn refusal counts again only after this peer sees a new refusal, not when other members relay the old accusation', () => {
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

test('after a restart, a peer counts the refusal that it saw before the restart', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.message(
    'b',
    sync([entry(selfRecord('a'), [accusation('me', 'a', 'refused'), accusation('b', 'a', 'refused')])])
  )
  expect(bench.state('a')).toBe('dead')
})

test('a dead member that connects stays dead, and gets the accusations against it', () => {
  const bench = new Bench(['a'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.clear()
  bench.give({ type: 'connected', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
  const [told] = bench.sent('sync', 'a')
  const evidence = told!.entries.find(({ record }) => record.record.member === 'a')!.accusations
  expect(evidence.map(({ record }) => record)).toEqual([accusation('me', 'a', 'refused').record])
})

test('refusals of different incarnations do not prove a crash together', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused', 0) })
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 1 }) })
  bench.give({ type: 'gossip', record: accusation('c', 'a', 'refused', 1) })
  expect(bench.state('a')).toBe('suspect')
})

test('an accusation by the accused member itself does not count', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'gossip', record: accusation('a', 'a', 'refused') })
  expect(bench.state('a')).toBe('suspect')
})

test('a refusal still counts when many accusations of silence exist, and proves a crash with a second refusal', () => {
  const bench = new Bench(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  for (const id of ['b', 'c', 'd', 'e', 'f']) bench.give({ type: 'gossip', record: accusation(id, 'a', 'silent') })
  bench.give({ type: 'gossip', record: accusation('g', 'a', 'refused') })
  bench.give({ type: 'refused', peer: 'a' })
  expect(bench.state('a')).toBe('dead')
})
