import { expect, test } from 'vitest'
import { suspicionTimeout } from '../../src/membership/core/suspicion.ts'
import { profiles } from '../../src/membership/profile.ts'
import { accusation, Bench, entry, selfRecord, sync } from './bench.ts'

test('an accused member is a suspect at first, and is dead when its time to refute ends', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  expect(bench.state('a')).toBe('suspect')
  bench.pass(bench.profile.suspicionMin - 1)
  expect(bench.state('a')).toBe('suspect')
  bench.pass(1)
  expect(bench.state('a')).toBe('dead')
})

test('a suspect member refutes by raising its incarnation', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 1 }) })
  expect(bench.get('a')).toMatchObject({ state: 'alive', incarnation: 1 })
})

test('a dead member that refutes is alive again', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  bench.pass(bench.profile.suspicionMax)
  expect(bench.state('a')).toBe('dead')
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 1 }) })
  expect(bench.state('a')).toBe('alive')
})

test('a suspect stays a suspect when it publishes new metadata in the same incarnation', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  bench.give({ type: 'gossip', record: selfRecord('a', { revision: 1 }) })
  expect(bench.get('a')).toMatchObject({ state: 'suspect', revision: 1 })
})

test('an accusation of an older or a newer incarnation does not make a member a suspect', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 2 }) })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent', 1) })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused', 3) })
  expect(bench.state('a')).toBe('alive')
})

test('an accusation counts only if its accuser is a known member', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('stranger', 'a', 'silent') })
  expect(bench.state('a')).toBe('alive')
})

test('a second accusation does not extend the time to refute', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  bench.pass(bench.profile.suspicionMin - 100)
  bench.give({ type: 'gossip', record: accusation('c', 'a', 'silent') })
  bench.pass(100)
  expect(bench.state('a')).toBe('dead')
})

test('a peer sends its refutation by gossip, and directly to the member that sent the accusation', () => {
  const bench = new Bench(['a', 'b'])
  bench.message('a', { type: 'ping', seq: 1, accusations: [accusation('b', 'me', 'silent')] })
  expect(bench.get('me')).toMatchObject({ state: 'alive', incarnation: 1, revision: 0 })
  expect(bench.gossiped()).toMatchObject([{ type: 'self', member: 'me', incarnation: 1 }])
  expect(bench.sent('records', 'a')).toMatchObject([{ records: [{ record: { member: 'me', incarnation: 1 } }] }])
})

test('a new incarnation starts at revision 0 and keeps the metadata', () => {
  const bench = new Bench(['a', 'b'])
  bench.update({ slots: 9 })
  bench.give({ type: 'gossip', record: accusation('b', 'me', 'silent') })
  expect(bench.get('me')).toMatchObject({ incarnation: 1, revision: 0, slots: 9 })
})

test('a peer answers an accusation that it has refuted already with its record, and does not raise its incarnation', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'me', 'silent') })
  bench.clear()
  bench.message('a', { type: 'ping', seq: 1, accusations: [accusation('b', 'me', 'silent')] })
  expect(bench.get('me').incarnation).toBe(1)
  expect(bench.gossiped()).toEqual([])
  expect(bench.sent('records', 'a')).toHaveLength(1)
})

test('a peer does not refute an accusation of an incarnation that it has never used', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'me', 'silent', Number.MAX_SAFE_INTEGER - 1) })
  expect(bench.get('me').incarnation).toBe(0)
})

test('an accused peer stays alive in its own view', () => {
  const bench = new Bench(['a'])
  bench.give({ type: 'gossip', record: accusation('a', 'me', 'refused') })
  expect(bench.state('me')).toBe('alive')
})

test('a peer gossips its refutation again for an old accusation only after the probe timeout', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'me', 'silent') })
  expect(bench.gossiped()).toMatchObject([{ member: 'me', incarnation: 1 }])
  bench.clear()
  bench.give({ type: 'gossip', record: accusation('a', 'me', 'silent') })
  expect(bench.gossiped()).toEqual([])
  bench.pass(bench.profile.probeTimeout)
  bench.clear()
  bench.give({ type: 'gossip', record: accusation('a', 'me', 'silent') })
  expect(bench.gossiped()).toMatchObject([{ member: 'me', incarnation: 1 }])
})

test('a peer answers a message of a dead member with the accusations against the dead member', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  bench.pass(bench.profile.suspicionMax)
  bench.clear()
  bench.message('a', { type: 'ping', seq: 1, accusations: [] })
  const [told] = bench.sent('records', 'a')
  expect(told?.records.map(({ record }) => record)).toContainEqual(accusation('b', 'a', 'silent').record)
})

/** Lets time pass while the members in `answering` answer each ping. */
function passWith(bench: Bench, ms: number, ...answering: string[]): void {
  let seen = bench.effects.length
  for (let passed = 0; passed < ms; passed += 50) {
    bench.pass(50)
    const effects = bench.effects.slice(seen)
    seen = bench.effects.length
    for (const effect of effects) {
      if (effect.type !== 'send' || effect.message.type !== 'ping' || !answering.includes(effect.to)) continue
      bench.message(effect.to, { type: 'ack', seq: effect.message.seq })
    }
  }
}

/** The least and the most push-pulls that fit into `ms`, at intervals of 75% to 125% of `pause`. */
const tries = (ms: number, pause: number): [number, number] => [
  Math.floor(ms / (1.25 * pause)),
  Math.ceil(ms / (0.75 * pause))
]

test('a peer begins one push-pull with a dead member in each heal interval', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  expect(bench.state('a')).toBe('dead')
  bench.clear()
  passWith(bench, 30_000, 'b')
  const [least, most] = tries(30_000, bench.profile.healInterval)
  expect(bench.sent('sync', 'a').length).toBeGreaterThanOrEqual(least)
  expect(bench.sent('sync', 'a').length).toBeLessThanOrEqual(most)
  expect(bench.sent('ping', 'a')).toEqual([])
})

test('a peer that sees every other member as dead tries to reach a dead member three times in each heal interval', () => {
  const bench = new Bench(['a'])
  bench.give({ type: 'refused', peer: 'a' })
  bench.pass(bench.profile.healInterval * 1.25)
  bench.clear()
  bench.pass(30_000)
  const [least, most] = tries(30_000, bench.profile.healInterval / 3)
  expect(bench.sent('sync', 'a').length).toBeGreaterThanOrEqual(least)
  expect(bench.sent('sync', 'a').length).toBeLessThanOrEqual(most)
})

test('a peer tries to reach a newly dead member more often than 30 members that died earlier', () => {
  const old = Array.from({ length: 30 }, (_, i) => `old${i}`)
  const bench = new Bench(['a', 'b', ...old])
  for (const id of [...old, 'a']) {
    bench.pass(1)
    for (const accuser of ['b', 'me']) {
      bench.give(
        accuser === 'me' ? { type: 'refused', peer: id } : { type: 'gossip', record: accusation('b', id, 'refused') }
      )
    }
  }
  bench.clear()
  passWith(bench, 400 * bench.profile.healInterval, 'b')
  const toOthers = old.map(id => bench.sent('sync', id).length)
  // A random try picks the newest of 31 dead members with the probability log 2 / log 32, a fifth. The tries in turn reach the others.
  expect(bench.sent('sync', 'a').length).toBeGreaterThan(48)
  expect(bench.sent('sync', 'a').length).toBeGreaterThan(Math.max(...toOthers))
  expect(toOthers.filter(times => times > 0).length).toBeGreaterThan(20)
})

test('a peer gossips a refutation at once, and a second time in the next period', () => {
  const bench = new Bench(['a', 'b'])
  bench.pass(bench.profile.period)
  bench.clear()
  bench.message('a', { type: 'ping', seq: 1, accusations: [accusation('b', 'me', 'silent')] })
  bench.pass(2 * bench.profile.period)
  const own = bench.gossiped().filter(record => record.type === 'self')
  expect(own).toMatchObject([{ incarnation: 1 }, { incarnation: 1 }])
})

test('a peer tries every dead member in turn, including a member that died before 30 other members', () => {
  const later = Array.from({ length: 30 }, (_, i) => `m${i}`)
  const bench = new Bench(['first', ...later])
  for (const accuser of ['m0', 'm1']) bench.give({ type: 'gossip', record: accusation(accuser, 'first', 'refused') })
  bench.pass(10)
  for (const peer of later) bench.give({ type: 'refused', peer })
  expect(new Set(bench.swim.members().map(({ id, state }) => `${id === 'me'} ${state}`))).toEqual(
    new Set(['true alive', 'false dead'])
  )
  bench.clear()
  bench.pass(2 * 31 * 1.25 * bench.profile.healInterval)
  const tried = ['first', ...later].filter(id => bench.sent('sync', id).length > 0)
  expect(tried).toEqual(['first', ...later])
})

test('the shortest time to refute grows with the logarithm of the cluster size, within the bounds of the profile', () => {
  const { lan } = profiles
  expect(suspicionTimeout(lan, 10, 4)).toBe(lan.suspicionMin)
  expect(suspicionTimeout(lan, 100, 4)).toBe(2 * lan.suspicionMin)
  expect(suspicionTimeout(lan, 1_000_000, 4)).toBe(lan.suspicionMax)
})

test('the time to refute is longest with one accuser, and shortest with four accusers or with all possible accusers', () => {
  const { lan } = profiles
  const byAccusers = [1, 2, 3, 4, 5].map(accusers => suspicionTimeout(lan, 10, accusers))
  expect(byAccusers[0]).toBe(lan.suspicionMax)
  expect(byAccusers).toEqual([...byAccusers].sort((a, b) => b - a))
  expect(byAccusers.slice(3)).toEqual([lan.suspicionMin, lan.suspicionMin])
  expect(suspicionTimeout(lan, 2, 1)).toBe(lan.suspicionMin)
  expect(suspicionTimeout(lan, 3, 1)).toBe(lan.suspicionMax)
  expect(suspicionTimeout(lan, 3, 2)).toBe(lan.suspicionMin)
})

test('each further accuser shortens the time to refute', () => {
  const bench = new Bench(['a', 'b', 'c', 'd', 'e', 'f'])
  // All members answer pings, so this peer accuses no member.
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) bench.answering.add(id)
  for (const id of ['b', 'c', 'd']) bench.give({ type: 'gossip', record: accusation(id, 'a', 'silent') })
  bench.pass(bench.profile.suspicionMin)
  expect(bench.state('a')).toBe('suspect')
  bench.give({ type: 'gossip', record: accusation('e', 'a', 'silent') })
  bench.pass(0)
  expect(bench.state('a')).toBe('dead')
})

test('a suspect with a single accuser has the longest time to refute', () => {
  const bench = new Bench(['a', 'b', 'c'])
  for (const id of ['a', 'b', 'c']) bench.answering.add(id)
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  bench.pass(bench.profile.suspicionMax - 1)
  expect(bench.state('a')).toBe('suspect')
  bench.pass(1)
  expect(bench.state('a')).toBe('dead')
})

test('a peer that was paused accuses no member of silence', () => {
  const bench = new Bench(['a', 'b'])
  bench.pass(bench.profile.period)
  bench.clear()
  bench.freeze(20_000)
  expect(bench.gossiped()).toEqual([])
  expect([bench.state('a'), bench.state('b')]).toEqual(['alive', 'alive'])
})

test('accusations of 64 incarnations make a peer raise its incarnation one time now and one time in the next period', () => {
  const bench = new Bench(['a', 'b'])
  bench.answering.add('a').add('b')
  const made = Array.from({ length: 64 }, (_, incarnation) => accusation('b', 'me', 'silent', incarnation))
  bench.message('b', { type: 'records', records: made })
  expect(bench.get('me').incarnation).toBe(1)
  bench.pass(2 * bench.profile.period)
  expect(bench.get('me').incarnation).toBe(2)
})

test('a peer that is paused again and again still declares an accused member dead within a bound', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.answering.add('b').add('c')
  for (const id of ['b', 'c']) bench.give({ type: 'gossip', record: accusation(id, 'a', 'silent') })
  const { stallTolerance, suspicionMax, period } = bench.profile
  const [began, late] = [bench.now, 2 * stallTolerance]
  while (bench.state('a') !== 'dead' && bench.now < began + 60_000) {
    bench.pass(period / 4)
    bench.freeze(late)
  }
  expect(bench.state('a')).toBe('dead')
  // The bound is twice the time to refute, times three: this peer is paused for two thirds of the time, and pauses do not count.
  expect(bench.now - began).toBeLessThan(3 * 2 * suspicionMax)
})

test('a peer does not accuse a member of silence while it has a backlog of messages from that member', () => {
  const held = new Set<string>()
  const bench = new Bench(['a'], { hasBacklog: id => held.has(id) })
  held.add('a')
  bench.pass(10 * bench.profile.period)
  expect(bench.state('a')).toBe('alive')
  held.clear()
  bench.pass(20 * bench.profile.period)
  expect(bench.state('a')).not.toBe('alive')
})

test('a peer extends the time to refute of its suspects by the time that the peer was paused', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  bench.freeze(20_000)
  expect(bench.state('a')).toBe('suspect')
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 1 }) })
  expect(bench.state('a')).toBe('alive')
})

test('a peer extends the time to refute of its suspects when it falls behind by small delays', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'silent') })
  bench.pass(bench.profile.suspicionMin - 100)
  // Each delay is below the tolerance. Timers and the refutation are processed only after all of these events.
  for (let seq = 0; seq < 5; seq++) {
    bench.now += 0.9 * bench.profile.stallTolerance
    bench.message('b', { type: 'ping', seq, accusations: [] })
  }
  bench.pass(0)
  expect(bench.state('a')).toBe('suspect')
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 1 }) })
  expect(bench.state('a')).toBe('alive')
})

test('a peer that was paused still detects the death of silent members', () => {
  const bench = new Bench(['a', 'b'])
  bench.freeze(20_000)
  bench.pass(20_000)
  expect([bench.state('a'), bench.state('b')]).toEqual(['dead', 'dead'])
})

test('a member that a peer learns together with accusations is a suspect at first, even if it was reported as long dead', () => {
  const bench = new Bench(['a'])
  bench.message('a', sync([entry(selfRecord('b'), [accusation('a', 'b', 'silent')], 3_600_000)]))
  expect(bench.state('b')).toBe('suspect')
  expect(bench.sent('ping', 'b')).toMatchObject([{ accusations: [{ record: { target: 'b' } }] }])
  bench.pass(bench.profile.suspicionMax)
  expect(bench.state('b')).toBe('dead')
})
