import { expect, test } from 'vitest'
import { ProbeList } from '../../src/membership/probe-list.ts'
import { randomFrom } from '../simulation/world.ts'
import { Bench, entry, selfRecord, sync } from './bench.ts'

/** Lets a probe round begin and says whom it is for. */
function probed(bench: Bench): { target: string; seq: number } {
  bench.clear()
  bench.pass(bench.profile.period)
  const ping = bench.effects.find(effect => effect.type === 'send' && effect.message.type === 'ping')
  if (ping?.type !== 'send' || ping.message.type !== 'ping') throw new Error('nobody was pinged')
  return { target: ping.to, seq: ping.message.seq }
}

test('one member is pinged each period', () => {
  const bench = new Bench(['a', 'b', 'c'])
  for (let round = 0; round < 6; round++) {
    const { target, seq } = probed(bench)
    bench.message(target, { type: 'ack', seq })
    expect(bench.sent('ping')).toHaveLength(1)
  }
})

test('every member is probed once a round, in an order that changes', () => {
  const list = new ProbeList(randomFrom(3))
  const live = ['a', 'b', 'c', 'd', 'e', 'f']
  const rounds = [1, 2, 3].map(() => live.map(() => list.next(live)!))
  for (const round of rounds) expect([...round].sort()).toEqual(live)
  expect(new Set(rounds.map(round => round.join())).size).toBe(3)
})

test('who is no longer live is not probed, and a newcomer is probed in the present round', () => {
  const list = new ProbeList(randomFrom(3))
  list.next(['a', 'b', 'c', 'd'])
  list.add('e')
  const rest = [1, 2, 3].map(() => list.next(['b', 'e']))
  expect(rest.slice(0, 2).sort()).toEqual(['b', 'e'])
})

test('a member that answers is left in peace', () => {
  const bench = new Bench(['a', 'b'])
  const { target, seq } = probed(bench)
  bench.message(target, { type: 'ack', seq })
  bench.pass(bench.profile.period)
  expect(bench.sent('ping-req')).toEqual([])
  expect(bench.state(target)).toBe('alive')
})

test('k others are asked to ping a member that does not answer in time', () => {
  const bench = new Bench(['a', 'b', 'c', 'd', 'e'])
  const { target, seq } = probed(bench)
  bench.pass(bench.profile.probeTimeout)
  const asked = bench.sent('ping-req')
  expect(asked).toHaveLength(bench.profile.indirectProbes)
  for (const message of asked) expect(message).toEqual({ type: 'ping-req', seq, target })
  expect(bench.sent('ping-req', target)).toEqual([])
})

test('an indirect answer is an answer', () => {
  const bench = new Bench(['a', 'b', 'c'])
  const { target, seq } = probed(bench)
  bench.pass(bench.profile.probeTimeout)
  const relay = bench.effects.find(effect => effect.type === 'send' && effect.message.type === 'ping-req')
  if (relay?.type !== 'send') throw new Error('nobody was asked')
  bench.message(relay.to, { type: 'ack', seq })
  bench.pass(bench.profile.period)
  expect(bench.state(target)).toBe('alive')
})

test('an answer from somebody who was neither pinged nor asked is none', () => {
  const bench = new Bench(['a', 'b', 'c'])
  const { target, seq } = probed(bench)
  const other = ['a', 'b', 'c'].find(id => id !== target)!
  bench.message(other, { type: 'ack', seq })
  bench.pass(bench.profile.period)
  expect(bench.state(target)).toBe('suspect')
})

test('who answers neither directly nor indirectly is accused as silent, by gossip and to its face first of all', () => {
  const bench = new Bench(['a', 'b', 'c'])
  const { target } = probed(bench)
  bench.pass(bench.profile.period)
  const accused = { type: 'accusation', accuser: 'me', target, incarnation: 0, kind: 'silent' }
  expect(bench.gossiped().filter(({ type }) => type === 'accusation')).toEqual([accused])
  expect(bench.state(target)).toBe('suspect')
  const told = bench.sent('ping', target).at(-1)
  expect(told?.accusations.map(({ record }) => record)).toEqual([accused])
})

test('a ping is answered, and a ping for another is passed on and its answer passed back', () => {
  const bench = new Bench(['a', 'b'])
  bench.message('a', { type: 'ping', seq: 7, accusations: [] })
  expect(bench.sent('ack', 'a')).toEqual([{ type: 'ack', seq: 7 }])
  bench.clear()
  bench.message('a', { type: 'ping-req', seq: 8, target: 'b' })
  const [ping] = bench.sent('ping', 'b')
  bench.message('b', { type: 'ack', seq: ping!.seq })
  expect(bench.sent('ack', 'a')).toEqual([{ type: 'ack', seq: 8 }])
})

test('nobody but its target answers a ping that was passed on', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.message('a', { type: 'ping-req', seq: 8, target: 'b' })
  const [ping] = bench.sent('ping', 'b')
  for (const other of ['stranger', 'c', 'a']) bench.message(other, { type: 'ack', seq: ping!.seq })
  expect(bench.sent('ack', 'a')).toEqual([])
  bench.message('b', { type: 'ack', seq: ping!.seq })
  expect(bench.sent('ack', 'a')).toEqual([{ type: 'ack', seq: 8 }])
})

test('a ping from a stranger is answered, and it is asked who it is', () => {
  const bench = new Bench()
  bench.message('x', { type: 'ping', seq: 1, accusations: [] })
  expect(bench.sent('ack', 'x')).toHaveLength(1)
  expect(bench.sent('sync', 'x')).toMatchObject([{ reply: false }])
  expect(bench.swim.get('x')).toBeUndefined()
})

test('nobody is made to ping a stranger', () => {
  const bench = new Bench(['a'])
  bench.message('a', { type: 'ping-req', seq: 1, target: 'victim' })
  expect(bench.sent('ping')).toEqual([])
})

test('a stranger that never exchanges tables, as a client, is tried a few times and then left in peace', () => {
  const bench = new Bench(['a'])
  bench.give({ type: 'connected', peer: 'client' })
  bench.pass(60_000)
  expect(bench.sent('sync', 'client')).toHaveLength(4)
})

test('a stranger that becomes a member is not asked again', () => {
  const bench = new Bench()
  bench.give({ type: 'connected', peer: 'a' })
  bench.message('a', sync([entry(selfRecord('a'))]))
  bench.clear()
  bench.pass(2_900)
  expect(bench.sent('sync', 'a')).toEqual([])
})
