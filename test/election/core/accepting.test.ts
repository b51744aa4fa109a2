import { expect, test } from 'vitest'
import { MAX_EPOCH, MAX_EPOCH_STEP } from '../../../src/election/core/messages.ts'
import { coordinator, Driver, goAhead, times } from './core.ts'

/** b follows c @5, and knows a, d and e. */
function follower(): Driver {
  return new Driver('b').live('a', 'c', 'd', 'e').ready().accepts('c', 5).quietly()
}

test('an older leadership than the newest accepted is refused, and whoever brings it is told the newer one', () => {
  const b = follower().accepts('d', 4)
  expect(b.done()).toEqual(['COORDINATOR c @5 -> d'])
  expect(b.follows).toBe('c @5')
})

test('the same epoch is ordered by rank', () => {
  const b = new Driver('b').live('a', 'c', 'd').accepts('c', 5).dies('c').accepts('d', 5)
  expect(b.follows).toBe('d @5')
  b.dies('d').live('c').accepts('c', 5)
  expect(b.follows).toBe('nobody')
})

test('who follows a live leader takes no rival without its go-ahead, and tells it of the rival until it is settled', () => {
  const b = follower().accepts('d', 6)
  expect(b.done()).toEqual(['RIVAL COORDINATOR d @6 -> c'])
  expect(b.follows).toBe('c @5')
  expect(b.wait('rivals').done()).toEqual(['RIVAL COORDINATOR d @6 -> c', 'relayed to c: rival -> a'])
})

test('of a rival that is gone nobody is told, until it comes back', () => {
  const b = follower().accepts('d', 6).quietly().dies('d').wait('rivals')
  expect(b.done()).toEqual([])
  expect(b.timers.has('rivals')).toBe(false)
  expect(b.live('d').done()).toEqual(['RIVAL COORDINATOR d @6 -> c', 'relayed to c: rival -> a'])
})

test('a rival that was refused is followed as soon as the leader is dead', () => {
  const b = follower().accepts('d', 6).quietly().dies('c')
  expect(b.done()).toEqual(['follow d @6'])
})

test('the go-ahead of the leader opens the way, for the peer that it names', () => {
  expect(follower().accepts('d', 6, goAhead('c', 5, 'd')).follows).toBe('d @6')
  expect(follower().accepts('d', 6, goAhead('c', 5, 'e')).follows).toBe('c @5')
  expect(follower().accepts('d', 6, goAhead('a', 5, 'd')).follows).toBe('c @5')
})

test('a go-ahead for an earlier reign of the leader does not count, one for a later reign does', () => {
  expect(follower().accepts('d', 6, goAhead('c', 4, 'd')).follows).toBe('c @5')
  expect(follower().accepts('d', 8, goAhead('c', 7, 'd')).follows).toBe('d @8')
})

test('what the leader itself tells it has accepted needs no go-ahead', () => {
  const b = follower().hears('c', { type: 'coordinator', coordinator: coordinator('e', 7, goAhead('d', 6, 'e')) })
  expect(b.follows).toBe('e @7')
})

test('a forwarded rival is not the word of whoever forwards it', () => {
  const b = follower().hears('c', { type: 'rival', coordinator: coordinator('e', 7) })
  expect(b.follows).toBe('c @5')
})

test('a higher epoch of the leader itself needs no go-ahead', () => {
  expect(follower().accepts('c', 9).follows).toBe('c @9')
})

test('who forwarded a rival to a leader that leads no more hears whom that one follows', () => {
  const b = follower()
  b.hears('a', { type: 'rival', coordinator: coordinator('d', 4) })
  expect(b.done()).toEqual(['COORDINATOR c @5 -> a'])
})

test('a step of more than 2^20 is refused, and so is anything above 2^53-1', () => {
  expect(follower().accepts('c', 5 + MAX_EPOCH_STEP).follows).toBe(`c @${5 + MAX_EPOCH_STEP}`)
  expect(follower().accepts('c', 6 + MAX_EPOCH_STEP).follows).toBe('c @5')
  expect(
    new Driver('b').live('c').do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 2 ** 53) }).follows
  ).toBe('nobody')
})

test('a joiner takes its first epoch from its admission push-pull, however high', () => {
  const b = new Driver('b').live('c')
  b.accepts('c', 2 ** 40)
  expect(b.follows, 'not from elsewhere').toBe('nobody')
  b.do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 2 ** 40) }).ready()
  expect(b.follows).toBe(`c @${2 ** 40}`)
  b.do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 2 ** 41) })
  expect(b.follows, 'only the first').toBe(`c @${2 ** 40}`)
})

test('a leader that is not known yet is followed once the membership knows it', () => {
  const b = new Driver('b').do({ type: 'pushPull', from: 'a', coordinator: coordinator('c', 5) })
  expect(b.follows).toBe('nobody')
  expect(b.live('a', 'c').ready().follows).toBe('c @5')
})

test('at the end of all epochs nobody claims', () => {
  const b = new Driver('b').do({ type: 'pushPull', from: 'a', coordinator: coordinator('c', MAX_EPOCH) }).ready()
  expect(b.follows).toBe('nobody')
})

test('the fence lets through what is not older than the newest accepted', () => {
  const { bully } = follower()
  expect(bully.peer.obeys('c', 5)).toBe(true)
  expect(bully.peer.obeys('c', 4)).toBe(false)
  expect(bully.peer.obeys('a', 5)).toBe(false)
  expect(bully.peer.obeys('d', 5)).toBe(true)
  expect(bully.peer.obeys('a', 6)).toBe(true)
})

test('who has no leader asks the one whose older claim it must refuse, so that it claims above', () => {
  const b = follower().dies('c').quietly()
  b.accepts('a', 3)
  expect(b.done()).toEqual(['ELECTION -> a'])
  const a = new Driver('a').ready().live('b').quietly()
  a.hears('b', { type: 'election', accepted: coordinator('c', 5) })
  expect(a.follows).toBe('a @6')
})

test('a leader does not outbid a newer leadership that still has followers, even if it cannot see its leader', () => {
  const c = new Driver('c').live('a').ready().quietly()
  c.hears('a', { type: 'coordinator', coordinator: coordinator('e', 7) })
  c.do({ type: 'gossip', coordinator: coordinator('e', 7) })
  expect(c.done()).toEqual([])
  expect(c.follows).toBe('c @1')
})

test('a leader whose own timer is far too late doubts itself, and follows a newer leader at once', () => {
  const wakes = (late: number): string => {
    const c = new Driver('c').live('a', 'b').ready()
    c.now = times.announceInterval + late
    return c.accepts('b', 2).follows
  }
  expect(wakes(times.awayAfter + 1)).toBe('b @2')
  expect(wakes(0)).toBe('c @1')
})

test('a joiner that does not know its leader yet makes nobody claim above it', () => {
  const b = new Driver('b').live('a').do({ type: 'pushPull', from: 'a', coordinator: coordinator('c', 5) })
  expect(b.accepts('a', 3).done()).toEqual([])
})

test('under a quorum nobody is followed who has no vote, whoever tells of it', () => {
  const a = new Driver('a', {}, 0, ['a', 'b', 'c']).live('b', 'x')
  a.do({ type: 'pushPull', from: 'b', coordinator: coordinator('x', 5) }).ready()
  a.hears('x', { type: 'coordinator', coordinator: coordinator('x', 6) })
  a.do({ type: 'gossip', coordinator: coordinator('stranger', 7) })
  expect(a.follows).toBe('nobody')
  expect(a.accepts('b', 1).follows).toBe('b @1')
})

test('under a quorum a leader that accepts a newer leadership gives its lease back, and can be granted one again', () => {
  const c = new Driver('c', {}, 0, ['a', 'b', 'c']).live('a', 'b').ready()
  c.do({ type: 'held', epoch: 3 })
  expect(c.quietly().follows).toBe('c @3')
  // b leads by what it says, and is not there: as after a start with other voters.
  c.dies('b').accepts('b', 5)
  expect(c.done()).toEqual(['release the lease', 'COORDINATOR b @5 -> b', 'seek an epoch above 5', 'follow nobody'])
})
