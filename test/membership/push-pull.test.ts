import { expect, test } from 'vitest'
import { MAX_MEMBERS } from '../../src/membership/core/table.ts'
import { profiles } from '../../src/membership/profile.ts'
import { accusation, Bench, entry, selfRecord, sync } from './bench.ts'

test('a peer begins a push-pull with a peer that connects', () => {
  const bench = new Bench()
  bench.give({ type: 'connected', peer: 'a' })
  expect(bench.sent('sync', 'a')).toMatchObject([{ reply: false, entries: [{ record: { record: { member: 'me' } } }] }])
})

test('the reply to a push-pull contains the whole table, including the records that the push-pull brought', () => {
  const bench = new Bench(['b'])
  bench.message('a', sync([entry(selfRecord('a'))], false))
  const [answer] = bench.sent('sync', 'a')
  expect(answer?.reply).toBe(true)
  expect(answer?.entries.map(({ record }) => record.record.member)).toEqual(['me', 'b', 'a'])
})

test('a peer does not answer the reply to a push-pull', () => {
  const bench = new Bench()
  bench.message('a', sync([entry(selfRecord('a'))], true))
  expect(bench.sent('sync')).toEqual([])
})

test('a peer is ready after the first push-pull', () => {
  const bench = new Bench()
  expect(bench.swim.isReady).toBe(false)
  bench.message('a', sync([entry(selfRecord('a'))]))
  expect(bench.swim.isReady).toBe(true)
  expect(bench.effects.filter(effect => effect.type === 'ready')).toHaveLength(1)
  bench.message('b', sync([entry(selfRecord('b'))]))
  expect(bench.effects.filter(effect => effect.type === 'ready')).toHaveLength(1)
})

test('a peer that meets no other peer is ready after the lone-start delay', () => {
  const bench = new Bench()
  bench.pass(bench.profile.loneStartDelay - 1)
  expect(bench.swim.isReady).toBe(false)
  bench.pass(1)
  expect(bench.swim.isReady).toBe(true)
})

test('a peer that looked for others before it became a member waits only for the rest of the lone-start delay', () => {
  const bench = new Bench([], { searchedFor: 600 })
  bench.pass(bench.profile.loneStartDelay - 601)
  expect(bench.swim.isReady).toBe(false)
  bench.pass(1)
  expect(bench.swim.isReady).toBe(true)
  const late = new Bench([], { searchedFor: 60_000 })
  late.pass(late.profile.loneStartDelay / 10 - 1)
  expect(late.swim.isReady).toBe(false)
  late.pass(1)
  expect(late.swim.isReady).toBe(true)
})

test('a peer that became ready alone meets the others with its first push-pull, after it has heard what they know of it', () => {
  const bench = new Bench()
  const told = (): string[] => bench.effects.map(({ type }) => type).filter(type => /^(ready|met|outdated)$/.test(type))
  bench.pass(bench.profile.loneStartDelay)
  expect(told()).toEqual(['ready'])
  bench.message('a', sync([entry(selfRecord('a')), entry(selfRecord('me', { revision: 1 }))]))
  expect(told()).toEqual(['ready', 'outdated', 'met'])
  bench.message('b', sync([entry(selfRecord('b'))]))
  expect(told()).toEqual(['ready', 'outdated', 'met'])
})

test('a peer that keeps dialling is ready only after ten lone-start delays', () => {
  const bench = new Bench()
  const { loneStartDelay } = bench.profile
  bench.pass(loneStartDelay - 1)
  for (let waited = loneStartDelay; waited < 10 * loneStartDelay; waited += loneStartDelay / 4) {
    bench.give({ type: 'dialling' })
    expect(bench.swim.isReady).toBe(false)
    bench.now += loneStartDelay / 4
  }
  bench.now += 1
  bench.give({ type: 'dialling' })
  expect(bench.swim.isReady).toBe(true)
})

test('a push-pull carries the local state, and the received state is merged before the received members are reported', () => {
  const bench = new Bench([], { localState: () => Uint8Array.of(1, 2) })
  bench.message('a', sync([entry(selfRecord('a'))], false, Uint8Array.of(9)))
  const types = bench.effects.flatMap(({ type }) => (type === 'merge' || type === 'member' ? [type] : []))
  expect(types).toEqual(['merge', 'member'])
  expect(bench.effects).toContainEqual({ type: 'merge', from: 'a', state: Uint8Array.of(9) })
  expect(bench.sent('sync', 'a')[0]?.state).toEqual(Uint8Array.of(1, 2))
})

test('a peer begins about one push-pull in each push-pull interval', () => {
  const bench = new Bench(['a', 'b'])
  bench.swim.members()
  let exchanged = 0
  for (let i = 0; i < 10; i++) {
    bench.clear()
    bench.pass(bench.profile.pushPullInterval)
    exchanged += bench.sent('sync').length
  }
  expect(exchanged).toBeGreaterThanOrEqual(8)
})

test('a restarted peer takes a higher incarnation than its record from before the restart', () => {
  const bench = new Bench()
  bench.message('a', sync([entry(selfRecord('me', { incarnation: 6, revision: 2 })), entry(selfRecord('a'))]))
  expect(bench.get('me')).toMatchObject({ state: 'alive', incarnation: 7, revision: 0 })
  expect(bench.gossiped()).toMatchObject([{ member: 'me', incarnation: 7 }])
  expect(bench.sent('records', 'a')).toMatchObject([{ records: [{ record: { incarnation: 7 } }] }])
})

test('a peer reports that another member knows a newer run of it than its folder does, and not that it was accused', () => {
  const bench = new Bench(['a'])
  const outdated = (): boolean => bench.effects.some(({ type }) => type === 'outdated')
  bench.message('a', { type: 'records', records: [accusation('a', 'me', 'silent')] })
  bench.message('a', { type: 'records', records: [selfRecord('me')] })
  expect([bench.get('me').incarnation, outdated()]).toEqual([1, false])
  bench.message('a', { type: 'records', records: [selfRecord('me', { incarnation: 1, revision: 1 })] })
  expect([bench.get('me').incarnation, outdated()]).toEqual([2, true])
})

test('a peer that has refuted before its first push-pull still finds that the others know a newer run of it', () => {
  const bench = new Bench()
  const outdated = (): boolean => bench.effects.some(({ type }) => type === 'outdated')
  bench.message('a', { type: 'records', records: [accusation('a', 'me', 'silent'), selfRecord('me')] })
  expect([bench.get('me').incarnation, outdated()]).toEqual([1, false])
  bench.message('a', sync([entry(selfRecord('a')), entry(selfRecord('me', { revision: 1 }))]))
  expect([bench.get('me').incarnation, outdated()]).toEqual([1, true])
})

test('a restarted peer takes a higher incarnation than its record with the state `left`', () => {
  const bench = new Bench(['a'])
  bench.message('a', { type: 'records', records: [selfRecord('me', { state: 'left', revision: 1 })] })
  expect(bench.get('me')).toMatchObject({ state: 'alive', incarnation: 1 })
})

test('a peer raises its incarnation when it receives a different record of itself with the same incarnation and revision', () => {
  const bench = new Bench(['a'])
  const metadata = { ...selfRecord('me').record.metadata, slots: 99 }
  bench.give({ type: 'gossip', record: selfRecord('me', { metadata }) })
  expect(bench.get('me')).toMatchObject({ incarnation: 1, slots: 1 })
  bench.clear()
  bench.give({ type: 'gossip', record: selfRecord('me', { incarnation: 1 }) })
  expect(bench.gossiped()).toEqual([])
})

test('a record replaces the known record only if it has a higher incarnation, or the same incarnation and a higher revision', () => {
  const bench = new Bench(['a'])
  const slots = (n: number) => ({ ...selfRecord('a').record.metadata, slots: n })
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 1, revision: 1, metadata: slots(11) }) })
  expect(bench.get('a').slots).toBe(11)
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 1, revision: 0, metadata: slots(10) }) })
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 0, revision: 9, metadata: slots(9) }) })
  expect(bench.get('a')).toMatchObject({ incarnation: 1, revision: 1, slots: 11 })
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 2, revision: 0, metadata: slots(20) }) })
  expect(bench.get('a')).toMatchObject({ incarnation: 2, revision: 0, slots: 20 })
})

test('the state `left` replaces `alive` at any revision of the same incarnation, and only a higher incarnation ends the state `left`', () => {
  const bench = new Bench(['a'])
  bench.give({ type: 'gossip', record: selfRecord('a', { revision: 7 }) })
  bench.give({ type: 'gossip', record: selfRecord('a', { state: 'left', revision: 3 }) })
  expect(bench.state('a')).toBe('left')
  bench.give({ type: 'gossip', record: selfRecord('a', { revision: 8 }) })
  expect(bench.state('a')).toBe('left')
  bench.give({ type: 'gossip', record: selfRecord('a', { incarnation: 1 }) })
  expect(bench.state('a')).toBe('alive')
})

test('a member that has left keeps the state `left` when it is accused, and is not probed', () => {
  const bench = new Bench(['a', 'b'])
  bench.give({ type: 'gossip', record: selfRecord('a', { state: 'left', revision: 1 }) })
  bench.give({ type: 'gossip', record: accusation('b', 'a', 'refused') })
  bench.give({ type: 'refused', peer: 'a' })
  bench.pass(10_000)
  expect(bench.state('a')).toBe('left')
  expect(bench.sent('ping', 'a')).toEqual([])
})

test('a peer gossips a change of its metadata as a new revision of its record', () => {
  const bench = new Bench(['a'])
  bench.update({ slots: 12 })
  expect(bench.get('me')).toMatchObject({ incarnation: 0, revision: 1, slots: 12 })
  expect(bench.gossiped()).toMatchObject([{ type: 'self', revision: 1, metadata: { slots: 12 } }])
})

test('a leaving peer sends its leave to every live member and by gossip, stops every timer, and then sends nothing more', () => {
  const bench = new Bench(['a', 'b', 'c'])
  bench.give({ type: 'gossip', record: selfRecord('c', { state: 'left', revision: 1 }) })
  bench.clear()
  bench.give({ type: 'leave' })
  for (const id of ['a', 'b']) {
    expect(bench.sent('records', id)).toMatchObject([{ records: [{ record: { member: 'me', state: 'left' } }] }])
  }
  expect(bench.sent('records', 'c')).toEqual([])
  expect(bench.gossiped()).toMatchObject([{ member: 'me', state: 'left' }])
  expect(bench.timers()).toEqual([])
  expect(bench.state('me')).toBe('left')
  expect(bench.message('a', { type: 'ping', seq: 1, accusations: [] })).toEqual([])
})

test('a peer forgets a member that left after the retention time, and not earlier', () => {
  const profile = { ...profiles.lan, retention: 60_000 }
  const bench = new Bench(['a', 'b'], { profile })
  bench.give({ type: 'gossip', record: selfRecord('a', { state: 'left', revision: 1 }) })
  bench.pass(59_000)
  expect(bench.state('a')).toBe('left')
  bench.pass(1_000 + 1.25 * profile.pushPullInterval)
  expect(bench.swim.get('a')).toBeUndefined()
  expect(bench.effects).toContainEqual({ type: 'dropped', id: 'a' })
})

test('a peer counts the time that a member was dead before the peer learned of that member as part of the retention time', () => {
  const profile = { ...profiles.lan, retention: 60_000 }
  const bench = new Bench(['a'], { profile })
  bench.message('a', sync([entry(selfRecord('b'), [accusation('a', 'b', 'silent')], 50_000)]))
  bench.message('a', sync([entry(selfRecord('c'), [accusation('a', 'c', 'silent')], 60_000)]))
  expect(bench.swim.get('c')).toBeUndefined()
  bench.pass(10_000 + 1.25 * profile.pushPullInterval)
  expect(bench.swim.get('b')).toBeUndefined()
})

test.each([
  ['no evidence', []],
  ['refuted evidence', [accusation('a', 'b', 'silent')]]
])(
  'a member that others falsely reported as long dead, with %s, is kept for the full retention time when it dies',
  (_what, evidence) => {
    const profile = { ...profiles.lan, retention: 60_000 }
    const bench = new Bench(['a'], { profile })
    bench.message('a', sync([entry(selfRecord('b'), evidence, 59_000)]))
    bench.give({ type: 'gossip', record: selfRecord('b', { incarnation: 1 }) })
    bench.message('a', sync([entry(selfRecord('b', { incarnation: 1, revision: 1 }), [], 59_000)]))
    expect(bench.state('b')).toBe('alive')
    bench.give({ type: 'gossip', record: accusation('a', 'b', 'refused', 1) })
    bench.give({ type: 'refused', peer: 'b' })
    expect(bench.state('b')).toBe('dead')
    bench.pass(50_000)
    expect(bench.swim.get('b')?.state).toBe('dead')
    bench.pass(10_000 + 1.25 * profile.pushPullInterval)
    expect(bench.swim.get('b')).toBeUndefined()
  }
)

test('a suspect that other members reported as long dead, and that reconnected, is not forgotten early when it dies', () => {
  const profile = { ...profiles.lan, retention: 60_000 }
  const bench = new Bench(['a'], { profile })
  bench.message('a', sync([entry(selfRecord('b'))]))
  bench.give({ type: 'refused', peer: 'b' })
  bench.message('a', sync([entry(selfRecord('b', { revision: 1 }), [], 59_000)]))
  expect(bench.state('b')).toBe('suspect')
  bench.give({ type: 'connected', peer: 'b' })
  expect(bench.state('b')).toBe('alive')
  bench.give({ type: 'gossip', record: accusation('a', 'b', 'refused') })
  bench.give({ type: 'refused', peer: 'b' })
  expect(bench.state('b')).toBe('dead')
  bench.pass(50_000)
  expect(bench.swim.get('b')?.state).toBe('dead')
})

test('an accusation counts even if the same push-pull introduces the accuser', () => {
  const bench = new Bench()
  bench.message('a', sync([entry(selfRecord('b'), [accusation('c', 'b', 'silent')]), entry(selfRecord('c'))]))
  expect(bench.state('b')).toBe('suspect')
})

test('a full table of nonexistent members that left makes room for a new member after the next push-pull', () => {
  const bench = new Bench(['a'])
  const invented = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => entry(selfRecord(`m${from + i}`, { state: 'left' })))
  for (let from = 0; from < 2 * MAX_MEMBERS; from += 5_000) bench.message('a', sync(invented(from, 5_000)))
  expect(bench.swim.size).toBe(MAX_MEMBERS)
  bench.message('a', sync([entry(selfRecord('newcomer'))]))
  expect(bench.swim.get('newcomer')).toBeUndefined()
  // The table removes members that left only when the next push-pull begins.
  bench.pass(2 * bench.profile.pushPullInterval)
  expect(bench.swim.size).toBe(MAX_MEMBERS / 2)
  expect(bench.effects).toContainEqual({ type: 'dropped', id: 'm0' })
  expect(bench.swim.get('a')).toBeDefined()
  bench.message('a', sync([entry(selfRecord('newcomer'))]))
  expect(bench.state('newcomer')).toBe('alive')
})
