import { expect, test } from 'vitest'
import { coordinator, Driver, times } from './core.ts'

test('the highest-ranked electable peer claims at once, and tells everybody directly and by gossip', () => {
  const c = new Driver('c').live('a', 'b').ready()
  expect(c.done()).toEqual(['COORDINATOR c @1 -> a', 'COORDINATOR c @1 -> b', 'COORDINATOR c @1 -> all', 'follow c @1'])
})

test('nobody claims before it is ready', () => {
  const c = new Driver('c').live('a', 'b')
  c.hears('a', { type: 'election', accepted: undefined })
  expect(c.done()).toEqual(['declined -> a'])
})

test('the electionPriority counts before the id', () => {
  const a = new Driver('a', { priority: 1 }).live('b', 'c').ready()
  expect(a.follows).toBe('a @1')
})

test('a worker never claims, but asks the highest for news and accepts', () => {
  const z = new Driver('z', { electable: false }).live('a', 'b').ready()
  expect(z.wait('coordinator').done()).toEqual(['ELECTION -> b'])
  z.dies('a').dies('b')
  expect(z.done()).toEqual([])
  z.live('a').accepts('a', 4)
  expect(z.follows).toBe('a @4')
})

test('a claim that comes from a worker is refused', () => {
  const a = new Driver('a').live('b').member('z', { electable: false })
  a.ready().accepts('z', 4)
  expect(a.follows).toBe('nobody')
})

test('a lower peer waits for COORDINATOR before it asks all that rank higher', () => {
  const b = new Driver('b').live('a', 'c', 'd').ready()
  expect(b.done()).toEqual([])
  expect(b.timers.get('coordinator')).toBe(times.coordinatorTimeout)
  expect(b.wait('coordinator').done()).toEqual(['ELECTION -> c', 'ELECTION -> d'])
})

test('a higher peer that is live but silent is asked again and again, never overruled', () => {
  const b = new Driver('b').live('a', 'c').ready()
  expect(b.wait('coordinator').done()).toEqual(['ELECTION -> c'])
  for (let i = 0; i < 50; i++) {
    expect(b.wait('coordinator').done()).toEqual(['ELECTION -> c', 'relayed to c: election -> a'])
  }
  expect(b.follows).toBe('nobody')
})

test('it claims as soon as every higher peer is dead or has declined', () => {
  const b = new Driver('b').live('a', 'c', 'd').ready().wait('coordinator').quietly()
  b.hears('d', { type: 'answer', answer: 'declined' })
  expect(b.done()).toEqual([])
  b.dies('c')
  expect(b.done()).toContain('follow b @1')
})

test('three answers `claiming` without a COORDINATOR count as declined', () => {
  const b = new Driver('b').live('c').ready()
  for (let i = 0; i < 3; i++) {
    expect(b.follows).toBe('nobody')
    b.wait('coordinator').hears('c', { type: 'answer', answer: 'claiming' })
  }
  expect(b.follows).toBe('b @1')
})

test('an answer of somebody who is not in the way changes nothing', () => {
  const b = new Driver('b').live('a', 'c').ready().wait('coordinator')
  b.hears('a', { type: 'answer', answer: 'declined' })
  expect(b.follows).toBe('nobody')
})

test('who is asked and sees no leader either says that it claims, and does what it takes', () => {
  const b = new Driver('b').live('a', 'c').ready().quietly()
  b.hears('a', { type: 'election', accepted: undefined })
  expect(b.done()).toEqual(['claiming -> a'])
  expect(b.wait('coordinator').done()).toEqual(['ELECTION -> c'])
})

test('who is asked and follows a live leader tells whom', () => {
  const b = new Driver('b').live('a', 'c').ready().accepts('c', 3).quietly()
  b.hears('a', { type: 'election', accepted: undefined })
  expect(b.done()).toEqual(['COORDINATOR c @3 -> a'])
})

test('an epoch is above all that were accepted, the dead ones too', () => {
  const b = new Driver('b').live('a', 'c').ready().accepts('c', 41).dies('c')
  expect(b.follows).toBe('b @42')
})

test('when the leader dies there is none until the next COORDINATOR', () => {
  const a = new Driver('a').live('b', 'c').ready().accepts('c', 1).quietly()
  a.dies('c')
  expect(a.done()).toEqual(['follow nobody'])
  a.accepts('b', 2)
  expect(a.done()).toEqual(['follow b @2'])
})

test('a leader that asks for a leader has stopped', () => {
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

test('a leader announces itself to members that appear, and again by gossip, ever more rarely', () => {
  const c = new Driver('c').live('a').ready().quietly()
  c.live('b')
  expect(c.done()).toEqual(['COORDINATOR c @1 -> b'])
  const announced = Array.from({ length: 32 }, (_, i) => (c.wait('announce').done().length > 0 ? [i + 1] : [])).flat()
  expect(announced).toEqual([1, 2, 4, 8, 16, 24, 32])
  expect(c.wait('announce').now).toBe(33 * times.announceInterval)
})

test('a peer that led before mints above what it used then, though nobody is there to tell it', () => {
  expect(new Driver('a', {}, 7).ready().follows).toBe('a @8')
})

test('what the others have seen counts too, where that is more', () => {
  const b = new Driver('b', {}, 7).live('a').ready()
  expect(b.follows).toBe('b @8')
  const c = new Driver('c', {}, 7).live('a')
  c.do({ type: 'pushPull', from: 'a', coordinator: coordinator('a', 20) })
    .ready()
    .dies('a')
  expect(c.follows).toBe('c @21')
})

test('a voter whose disk takes nothing stands in nobody’s way, is handed no leadership, and claims when there is room', () => {
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
