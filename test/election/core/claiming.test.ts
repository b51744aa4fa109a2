import { expect, test } from 'vitest'
import { coordinator, Driver, times } from './core.ts'

test('the highest-ranked electable peer claims immediately, and sends COORDINATOR directly and by gossip', () => {
  const c = new Driver('c').live('a', 'b').ready()
  expect(c.done()).toEqual(['COORDINATOR c @1 -> a', 'COORDINATOR c @1 -> b', 'COORDINATOR c @1 -> all', 'follow c @1'])
})

test('a peer that is not ready declines instead of claiming', () => {
  const c = new Driver('c').live('a', 'b')
  c.hears('a', { type: 'election', accepted: undefined })
  expect(c.done()).toEqual(['declined -> a'])
})

test('a higher electionPriority outranks a higher PeerId', () => {
  const a = new Driver('a', { priority: 1 }).live('b', 'c').ready()
  expect(a.follows).toBe('a @1')
})

test('a worker never claims, but asks the highest-ranked peer for a leader and follows this leader', () => {
  const z = new Driver('z', { electable: false }).live('a', 'b').ready()
  expect(z.wait('coordinator').done()).toEqual(['ELECTION -> b'])
  z.dies('a').dies('b')
  expect(z.done()).toEqual([])
  z.live('a').accepts('a', 4)
  expect(z.follows).toBe('a @4')
})

test('a peer refuses the claim of a worker', () => {
  const a = new Driver('a').live('b').member('z', { electable: false })
  a.ready().accepts('z', 4)
  expect(a.follows).toBe('nobody')
})

test('a lower-ranked peer waits for COORDINATOR before it asks every higher-ranked peer', () => {
  const b = new Driver('b').live('a', 'c', 'd').ready()
  expect(b.done()).toEqual([])
  expect(b.timers.get('coordinator')).toBe(times.coordinatorTimeout)
  expect(b.wait('coordinator').done()).toEqual(['ELECTION -> c', 'ELECTION -> d'])
})

test('a candidate repeats its question to a live but silent higher-ranked peer, and never claims while that peer is live', () => {
  const b = new Driver('b').live('a', 'c').ready()
  expect(b.wait('coordinator').done()).toEqual(['ELECTION -> c'])
  for (let i = 0; i < 50; i++) {
    expect(b.wait('coordinator').done()).toEqual(['ELECTION -> c', 'relayed to c: election -> a'])
  }
  expect(b.follows).toBe('nobody')
})

test('a candidate claims as soon as every higher-ranked peer is dead or has declined', () => {
  const b = new Driver('b').live('a', 'c', 'd').ready().wait('coordinator').quietly()
  b.hears('d', { type: 'answer', answer: 'declined' })
  expect(b.done()).toEqual([])
  b.dies('c')
  expect(b.done()).toContain('follow b @1')
})

test('a candidate counts three answers `claiming` without a COORDINATOR as declined', () => {
  const b = new Driver('b').live('c').ready()
  for (let i = 0; i < 3; i++) {
    expect(b.follows).toBe('nobody')
    b.wait('coordinator').hears('c', { type: 'answer', answer: 'claiming' })
  }
  expect(b.follows).toBe('b @1')
})

test('a candidate ignores the answer of a lower-ranked peer', () => {
  const b = new Driver('b').live('a', 'c').ready().wait('coordinator')
  b.hears('a', { type: 'answer', answer: 'declined' })
  expect(b.follows).toBe('nobody')
})

test('a peer without a leader answers ELECTION with `claiming`, and then asks the higher-ranked peers', () => {
  const b = new Driver('b').live('a', 'c').ready().quietly()
  b.hears('a', { type: 'election', accepted: undefined })
  expect(b.done()).toEqual(['claiming -> a'])
  expect(b.wait('coordinator').done()).toEqual(['ELECTION -> c'])
})

test('a peer with a live leader answers ELECTION with the COORDINATOR of this leader', () => {
  const b = new Driver('b').live('a', 'c').ready().accepts('c', 3).quietly()
  b.hears('a', { type: 'election', accepted: undefined })
  expect(b.done()).toEqual(['COORDINATOR c @3 -> a'])
})

test('a peer claims with an epoch above every epoch that it has accepted, even when the leader is dead', () => {
  const b = new Driver('b').live('a', 'c').ready().accepts('c', 41).dies('c')
  expect(b.follows).toBe('b @42')
})

test('a peer whose leader dies follows no leader until the next COORDINATOR', () => {
  const a = new Driver('a').live('b', 'c').ready().accepts('c', 1).quietly()
  a.dies('c')
  expect(a.done()).toEqual(['follow nobody'])
  a.accepts('b', 2)
  expect(a.done()).toEqual(['follow b @2'])
})

test('a follower treats an ELECTION from its leader as the end of that leadership, unless the ELECTION names an older epoch', () => {
  const c = new Driver('c').live('a', 'b').ready()
  const b = new Driver('b').live('a').ready().quietly()
  b.live('c').hears('c', { type: 'election', accepted: undefined })
  expect(b.follows).toBe('b @1')
  const d = new Driver('d').live('c').accepts('c', 2).ready().quietly()
  d.hears('c', { type: 'election', accepted: coordinator('c', 1) })
  expect(d.follows, 'an older question does not count').toBe('c @2')
  d.hears('c', { type: 'election', accepted: coordinator('c', 2) })
  expect(d.follows).toBe('d @3')
  expect(c.follows).toBe('c @1')
})

test('a leader announces itself to each new member, and by gossip at growing intervals', () => {
  const c = new Driver('c').live('a').ready().quietly()
  c.live('b')
  expect(c.done()).toEqual(['COORDINATOR c @1 -> b'])
  const announced = Array.from({ length: 32 }, (_, i) => (c.wait('announce').done().length > 0 ? [i + 1] : [])).flat()
  expect(announced).toEqual([1, 2, 4, 8, 16, 24, 32])
  expect(c.wait('announce').now).toBe(33 * times.announceInterval)
})

test('a restarted peer that is alone claims an epoch above the epochs of its earlier runs', () => {
  expect(new Driver('a', {}, 7).ready().follows).toBe('a @8')
})

test('a restarted peer claims an epoch above the epochs of its earlier runs and of other peers', () => {
  const b = new Driver('b', {}, 7).live('a').ready()
  expect(b.follows).toBe('b @8')
  const c = new Driver('c', {}, 7).live('a')
  c.do({ type: 'pushPull', from: 'a', coordinator: coordinator('a', 20) })
    .ready()
    .dies('a')
  expect(c.follows).toBe('c @21')
})

test('a voter with a full disk declines and requests no leadership until its disk is writable again', () => {
  const c = new Driver('c', {}, 0, ['a', 'b', 'c']).live('a', 'b')
  c.do({ type: 'disk', writable: false })
  c.ready().quietly()
  c.hears('b', { type: 'election', accepted: undefined })
  expect(c.done()).toEqual(['declined -> b'])
  c.accepts('b', 4).quietly()
  expect(c.timers.get('takeover')).toBeUndefined()
  c.do({ type: 'disk', writable: true })
  expect(c.timers.get('takeover')).toBe(times.stableFor)
  c.do({ type: 'disk', writable: false })
  expect(c.timers.get('takeover')).toBeUndefined()
})
