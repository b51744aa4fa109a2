import { expect, test } from 'vitest'
import type { AckProofs, Asker } from '../../src/membership/core/messages.ts'
import { ProbeList } from '../../src/membership/core/probe-list.ts'
import { randomFrom } from '../simulation/world.ts'
import { accusation, Bench, entry, selfRecord, sync } from './bench.ts'

/** Lets the first probe begin, and returns the target and the sequence number of its ping. */
function probed(bench: Bench): { target: string; seq: number } {
  bench.clear()
  bench.pass(bench.profile.period)
  const ping = bench.effects.find(effect => effect.type === 'send' && effect.message.type === 'ping')
  if (ping?.type !== 'send' || ping.message.type !== 'ping') throw new Error('nobody was pinged')
  return { target: ping.to, seq: ping.message.seq }
}

test('a peer pings one member in each period', () => {
  const bench = new Bench(['a', 'b', 'c'])
  for (let round = 0; round < 6; round++) {
    const { target, seq } = probed(bench)
    bench.message(target, { type: 'ack', seq })
    expect(bench.sent('ping')).toHaveLength(1)
  }
})

test('a peer probes every member exactly once in each round, in a new order for each round', () => {
  const list = new ProbeList(randomFrom(3))
  const live = ['a', 'b', 'c', 'd', 'e', 'f']
  const rounds = [1, 2, 3].map(() => live.map(() => list.next(live)!))
  for (const round of rounds) expect([...round].sort()).toEqual(live)
  expect(new Set(rounds.map(round => round.join())).size).toBe(3)
})

test('a peer skips a dead member, and probes a new member in the current round', () => {
  const list = new ProbeList(randomFrom(3))
  list.next(['a', 'b', 'c', 'd'])
  list.add('e')
  const rest = [1, 2, 3].map(() => list.next(['b', 'e']))
  expect(rest.slice(0, 2).sort()).toEqual(['b', 'e'])
})

test('a peer does not accuse a member that answers its ping', () => {
  const bench = new Bench(['a', 'b'])
  const { target, seq } = probed(bench)
  bench.message(target, { type: 'ack', seq })
  bench.pass(bench.profile.period)
  expect(bench.sent('ping-req')).toEqual([])
  expect(bench.state(target)).toBe('alive')
})

test('a peer asks the configured number of relays to ping a member that does not answer in time', () => {
  const bench = new Bench(['a', 'b', 'c', 'd', 'e'])
  const { target, seq } = probed(bench)
  bench.pass(bench.profile.probeTimeout)
  const asked = bench.sent('ping-req')
  expect(asked).toHaveLength(bench.profile.indirectProbes)
  const within = bench.profile.period - bench.profile.probeTimeout
  for (const message of asked) expect(message).toEqual({ type: 'ping-req', seq, target, within, nonce: 0 })
  expect(bench.sent('ping-req', target)).toEqual([])
})

test('a member stays alive when its answer arrives through a relay', () => {
  const bench = new Bench(['a', 'b', 'c'])
  const { target, seq } = probed(bench)
  bench.pass(bench.profile.probeTimeout)
  const relay = bench.effects.find(effect => effect.type === 'send' && effect.message.type === 'ping-req')
  if (relay?.type !== 'send') throw new Error('nobody was asked')
  bench.message(relay.to, { type: 'ack', seq, proof: new Uint8Array() })
  bench.pass(bench.profile.period)
  expect(bench.state(target)).toBe('alive')
})

/** Readable fake signatures. Each contains the name of the signing member, and the asker and the nonce of the ping. */
function proofsOf(self: string): AckProofs {
  const encode = (member: string, { origin, nonce }: Asker) => new TextEncoder().encode(`${member} ${origin} ${nonce}`)
  return {
    nonce: () => 42,
    sign: asker => encode(self, asker),
    verify: (member, asker, proof) => String(proof) === String(encode(member, asker))
  }
}

test.each([
  ['with the signature of the target', 'alive', (target: string) => proofsOf(target).sign({ origin: 'me', nonce: 42 })],
  ['with the signature of the relay', 'suspect', () => proofsOf('relay').sign({ origin: 'me', nonce: 42 })],
  ['with an old signature', 'suspect', (target: string) => proofsOf(target).sign({ origin: 'me', nonce: 41 })],
  [
    'with a signature for another asker',
    'suspect',
    (target: string) => proofsOf(target).sign({ origin: 'a', nonce: 42 })
  ],
  ['without a signature', 'suspect', () => undefined]
])('an indirect answer %s leaves the target %s', (_, state, proof) => {
  const bench = new Bench(['a', 'b', 'c'], { ackProofs: proofsOf('me') })
  const { target, seq } = probed(bench)
  bench.pass(bench.profile.probeTimeout)
  const relay = bench.effects.find(effect => effect.type === 'send' && effect.message.type === 'ping-req')
  if (relay?.type !== 'send') throw new Error('nobody was asked')
  expect(relay.message).toMatchObject({ nonce: 42 })
  bench.message(relay.to, { type: 'ack', seq, proof: proof(target) })
  bench.pass(bench.profile.period)
  expect(bench.state(target)).toBe(state)
})

test('the target of a relayed ping signs its ack, and the relay forwards the signature to the asker', () => {
  const target = new Bench(['a', 'b'], { ackProofs: proofsOf('me') })
  target.message('a', { type: 'ping', seq: 7, accusations: [], asker: { origin: 'b', nonce: 5 } })
  const proof = proofsOf('me').sign({ origin: 'b', nonce: 5 })
  expect(target.sent('ack', 'a')).toEqual([{ type: 'ack', seq: 7, proof }])
  const relay = new Bench(['a', 'b'], { ackProofs: proofsOf('me') })
  relay.message('a', { type: 'ping-req', seq: 8, target: 'b', within: 300, nonce: 5 })
  const [ping] = relay.sent('ping', 'b')
  expect(ping).toMatchObject({ asker: { origin: 'a', nonce: 5 } })
  relay.message('b', { type: 'ack', seq: ping!.seq, proof })
  expect(relay.sent('ack', 'a')).toEqual([{ type: 'ack', seq: 8, proof }])
})

test('an ack from a peer that was neither pinged nor asked as a relay does not count as an answer', () => {
  const bench = new Bench(['a', 'b', 'c'])
  const { target, seq } = probed(bench)
  const other = ['a', 'b', 'c'].find(id => id !== target)!
  bench.message(other, { type: 'ack', seq })
  bench.pass(bench.profile.period)
  expect(bench.state(target)).toBe('suspect')
})

test('a peer accuses a member that does not answer of silence, and sends the accusation by gossip and in a ping to that member', () => {
  const bench = new Bench(['a', 'b', 'c'])
  const { target } = probed(bench)
  bench.pass(bench.profile.period)
  const accused = { type: 'accusation', accuser: 'me', target, incarnation: 0, kind: 'silent' }
  expect(bench.gossiped().filter(({ type }) => type === 'accusation')).toEqual([accused])
  expect(bench.state(target)).toBe('suspect')
  const told = bench.sent('ping', target).at(-1)
  expect(told?.accusations.map(({ record }) => record)).toEqual([accused])
})

test('a peer answers a ping with an ack, and relays the ping of a ping-req and the ack of the target', () => {
  const bench = new Bench(['a', 'b'])
  bench.message('a', { type: 'ping', seq: 7, accusations: [] })
  expect(bench.sent('ack', 'a')).toEqual([{ type: 'ack', seq: 7 }])
  bench.clear()
  bench.message('a', { type: 'ping-req', seq: 8, target: 'b', within: 300 })
  const [ping] = bench.sent('ping', 'b')
  bench.message('b', { type: 'ack', seq: ping!.seq })
  expect(bench.sent('ack', 'a')).toEqual([{ type: 'ack', seq: 8 }])
})

test('only the target can answer a relayed ping', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.message('a', { type: 'ping-req', seq: 8, target: 'b', within: 300 })
  const [ping] = bench.sent('ping', 'b')
  for (const other of ['stranger', 'c', 'a']) bench.message(other, { type: 'ack', seq: ping!.seq })
  expect(bench.sent('ack', 'a')).toEqual([])
  bench.message('b', { type: 'ack', seq: ping!.seq })
  expect(bench.sent('ack', 'a')).toEqual([{ type: 'ack', seq: 8 }])
})

test('a peer answers the ping of an unknown peer with an ack, and begins a push-pull with the unknown peer', () => {
  const bench = new Bench()
  bench.message('x', { type: 'ping', seq: 1, accusations: [] })
  expect(bench.sent('ack', 'x')).toHaveLength(1)
  expect(bench.sent('sync', 'x')).toMatchObject([{ reply: false }])
  expect(bench.swim.get('x')).toBeUndefined()
})

test('a peer does not relay a ping to a target that is not a member', () => {
  const bench = new Bench(['a'])
  bench.message('a', { type: 'ping-req', seq: 1, target: 'victim', within: 300 })
  expect(bench.sent('ping')).toEqual([])
})

test('a peer tries a push-pull four times with a client, which never replies', () => {
  const bench = new Bench(['a'])
  bench.give({ type: 'connected', peer: 'client' })
  bench.pass(60_000)
  expect(bench.sent('sync', 'client')).toHaveLength(4)
})

test('a peer repeats no join push-pull with a peer that has become a member', () => {
  const bench = new Bench()
  bench.give({ type: 'connected', peer: 'a' })
  bench.message('a', sync([entry(selfRecord('a'))]))
  bench.clear()
  bench.pass(2_900)
  expect(bench.sent('sync', 'a')).toEqual([])
})

test('a relay that gets no answer from the target sends one nack before the probe period of the asker ends', () => {
  const bench = new Bench(['a', 'b'])
  bench.message('a', { type: 'ping-req', seq: 8, target: 'b', within: 300 })
  bench.pass(bench.profile.period - bench.profile.probeTimeout)
  expect(bench.sent('nack', 'a')).toEqual([{ type: 'nack', seq: 8 }])
  bench.pass(3 * bench.profile.period)
  expect(bench.sent('nack', 'a')).toHaveLength(1)
})

test('a relay that gets an answer from the target sends no nack', () => {
  const bench = new Bench(['a', 'b'])
  bench.message('a', { type: 'ping-req', seq: 8, target: 'b', within: 300 })
  bench.message('b', { type: 'ack', seq: bench.sent('ping', 'b')[0]!.seq })
  bench.pass(bench.profile.period)
  expect(bench.sent('nack')).toEqual([])
})

test('a relay sends its nack within the time that the ping-req allows, even if that is only 50 ms', () => {
  const bench = new Bench(['a', 'b'])
  bench.message('a', { type: 'ping-req', seq: 8, target: 'b', within: 300 })
  bench.message('a', { type: 'ping-req', seq: 9, target: 'b', within: 50 })
  bench.pass(50)
  expect(bench.sent('nack', 'a')).toEqual([{ type: 'nack', seq: 9 }])
})

test('a relay that does not know the target sends a nack at once', () => {
  const bench = new Bench(['a'])
  bench.message('a', { type: 'ping-req', seq: 8, target: 'unknown', within: 300 })
  expect(bench.sent('nack', 'a')).toEqual([{ type: 'nack', seq: 8 }])
  expect(bench.sent('ping')).toEqual([])
})

test('a peer relays fewer than 50 pings when a member floods it with 10,000 ping-reqs', () => {
  const bench = new Bench(['a', 'b', 'c'])
  for (let seq = 1; seq <= 10_000; seq++) bench.message('a', { type: 'ping-req', seq, target: 'b', within: 300 })
  expect(bench.sent('ping', 'b').length).toBeLessThan(50)
  for (let i = 0; i < 100; i++) bench.message('c', { type: 'ping-req', seq: 1, target: 'b', within: 300 })
  expect(bench.sent('ping', 'b').length).toBeLessThan(50)
})

test('a peer does not ask suspects as relays while it has members that are not suspects', () => {
  const bench = new Bench(['a', 'b', 'c', 'd', 'e'])
  for (const suspect of ['c', 'd', 'e']) bench.give({ type: 'gossip', record: accusation('a', suspect, 'silent') })
  expect(bench.state('c')).toBe('suspect')
  bench.clear()
  bench.pass(bench.profile.period + bench.profile.probeTimeout)
  const relays = bench.effects.flatMap(effect =>
    effect.type === 'send' && effect.message.type === 'ping-req' ? [effect.to] : []
  )
  expect(relays.length).toBeGreaterThan(0)
  for (const relay of relays) expect(['a', 'b']).toContain(relay)
})

test('a relay sends a nack to each of two askers of the same target', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.message('a', { type: 'ping-req', seq: 8, target: 'c', within: 300 })
  bench.pass(50)
  bench.message('b', { type: 'ping-req', seq: 9, target: 'c', within: 300 })
  bench.pass(bench.profile.period)
  expect(bench.sent('nack', 'a')).toEqual([{ type: 'nack', seq: 8 }])
  expect(bench.sent('nack', 'b')).toEqual([{ type: 'nack', seq: 9 }])
})

/** Lets `periods` probe periods pass and answers each ping after `ms`. */
function answerAfter(bench: Bench, ms: number, periods: number): void {
  const due: { at: number; to: string; seq: number }[] = []
  for (const end = bench.now + periods * bench.profile.period; bench.now < end || due.length > 0; ) {
    bench.clear()
    bench.pass(1)
    for (const effect of bench.effects) {
      if (effect.type !== 'send' || effect.message.type !== 'ping') continue
      due.push({ at: bench.now + ms, to: effect.to, seq: effect.message.seq })
    }
    while (due[0] !== undefined && due[0].at <= bench.now) {
      const { to, seq } = due.shift()!
      bench.message(to, { type: 'ack', seq })
    }
  }
}

/** Measures how many ms the peer waits for an answer before it asks other members to ping the target. */
function patience(bench: Bench): number {
  const until = (type: 'ping' | 'ping-req'): number => {
    bench.clear()
    for (let waited = 0; bench.sent(type).length === 0; waited++) {
      if (waited > 20 * bench.profile.period) throw new Error(`no ${type} was sent`)
      bench.pass(1)
    }
    return bench.now
  }
  const pinged = until('ping')
  return until('ping-req') - pinged
}

test.each([
  ['a short round trip gives the lower bound of the profile', 1, 80],
  ['a round trip between the bounds gives a timeout slightly above the round trip', 100, 120],
  ['a long round trip gives the upper bound of the profile', 300, 200]
])('the timeout of a probe follows the round trip: %s', (_, ms, expected) => {
  const bench = new Bench(['a', 'b', 'c'])
  answerAfter(bench, ms, 90)
  expect(bench.swim.roundTrip('a')).toBeCloseTo(ms, -1)
  const waited = patience(bench)
  expect(waited).toBeGreaterThanOrEqual(expected)
  expect(waited).toBeLessThanOrEqual(expected + 15)
})

test('a peer uses the longest probe timeout for a member that has never answered', () => {
  const bench = new Bench(['a', 'b', 'c'])
  expect(bench.swim.roundTrip('a')).toBeUndefined()
  expect(patience(bench)).toBe(bench.profile.probeTimeout)
})
