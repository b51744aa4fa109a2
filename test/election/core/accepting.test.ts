import { expect, test } from 'vitest'
import { MAX_EPOCH, MAX_EPOCH_STEP } from '../../../src/election/core/messages.ts'
import { coordinator, Driver, goAhead, times } from './core.ts'

/** Returns b, which follows c with epoch 5, and knows a, d and e. */
function follower(): Driver {
  return new Driver('b').live('a', 'c', 'd', 'e').ready().accepts('c', 5).quietly()
}

test('a peer refuses a leadership older than its newest leadership, and sends the newest leadership to the sender', () => {
  const b = follower().accepts('d', 4)
  expect(b.done()).toEqual(['COORDINATOR c @5 -> d'])
  expect(b.follows).toBe('c @5')
})

test('the rank orders two leaderships with the same epoch', () => {
  const b = new Driver('b').live('a', 'c', 'd').accepts('c', 5).dies('c').accepts('d', 5)
  expect(b.follows).toBe('d @5')
  b.dies('d').live('c').accepts('c', 5)
  expect(b.follows).toBe('nobody')
})

test('a follower of a live leader refuses a rival without a go-ahead, and keeps reporting the rival to its leader', () => {
  const b = follower().accepts('d', 6)
  expect(b.done()).toEqual(['RIVAL COORDINATOR d @6 -> c'])
  expect(b.follows).toBe('c @5')
  expect(b.wait('rivals').done()).toEqual(['RIVAL COORDINATOR d @6 -> c', 'relayed to c: rival -> a'])
})

test('a follower stops reporting a rival that dies, and reports the rival again when the rival comes back', () => {
  const b = follower().accepts('d', 6).quietly().dies('d').wait('rivals')
  expect(b.done()).toEqual([])
  expect(b.timers.has('rivals')).toBe(false)
  expect(b.live('d').done()).toEqual(['RIVAL COORDINATOR d @6 -> c', 'relayed to c: rival -> a'])
})

test('a follower accepts a refused rival as soon as its leader dies', () => {
  const b = follower().accepts('d', 6).quietly().dies('c')
  expect(b.done()).toEqual(['follow d @6'])
})

test('a follower accepts a rival only if the leader of the follower gave this rival a go-ahead', () => {
  expect(follower().accepts('d', 6, goAhead('c', 5, 'd')).follows).toBe('d @6')
  expect(follower().accepts('d', 6, goAhead('c', 5, 'e')).follows).toBe('c @5')
  expect(follower().accepts('d', 6, goAhead('a', 5, 'd')).follows).toBe('c @5')
})

test('a follower ignores a go-ahead for an earlier epoch of its leader, and accepts a go-ahead for a later epoch', () => {
  expect(follower().accepts('d', 6, goAhead('c', 4, 'd')).follows).toBe('c @5')
  expect(follower().accepts('d', 8, goAhead('c', 7, 'd')).follows).toBe('d @8')
})

test('a follower needs no go-ahead for a newer leadership that its own leader sends', () => {
  const b = follower().hears('c', { type: 'coordinator', coordinator: coordinator('e', 7, goAhead('d', 6, 'e')) })
  expect(b.follows).toBe('e @7')
})

test('a RIVAL from the leader does not make its follower accept the rival', () => {
  const b = follower().hears('c', { type: 'rival', coordinator: coordinator('e', 7) })
  expect(b.follows).toBe('c @5')
})

test('a follower needs no go-ahead for a higher epoch of its own leader', () => {
  expect(follower().accepts('c', 9).follows).toBe('c @9')
})

test('a peer that does not lead answers RIVAL with the leadership that it follows', () => {
  const b = follower()
  b.hears('a', { type: 'rival', coordinator: coordinator('d', 4) })
  expect(b.done()).toEqual(['COORDINATOR c @5 -> a'])
})

test('a peer refuses an epoch that is more than 2^20 above its newest epoch, or that is above 2^53-1', () => {
  expect(follower().accepts('c', 5 + MAX_EPOCH_STEP).follows).toBe(`c @${5 + MAX_EPOCH_STEP}`)
  expect(follower().accepts('c', 6 + MAX_EPOCH_STEP).follows).toBe('c @5')
  expect(
    new Driver('b').live('c').do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 2 ** 53) }).follows
  ).toBe('nobody')
})

test('a joiner accepts its first epoch from its admission push-pull, however high this epoch is', () => {
  const b = new Driver('b').live('c')
  b.accepts('c', 2 ** 40)
  expect(b.follows, 'not from elsewhere').toBe('nobody')
  b.do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 2 ** 40) }).ready()
  expect(b.follows).toBe(`c @${2 ** 40}`)
  b.do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 2 ** 41) })
  expect(b.follows, 'only the first').toBe(`c @${2 ** 40}`)
})

test('a peer follows an accepted leader as soon as its membership knows this leader', () => {
  const b = new Driver('b').do({ type: 'pushPull', from: 'a', coordinator: coordinator('c', 5) })
  expect(b.follows).toBe('nobody')
  expect(b.live('a', 'c').ready().follows).toBe('c @5')
})

test('a peer that has accepted the highest possible epoch never claims', () => {
  const b = new Driver('b').do({ type: 'pushPull', from: 'a', coordinator: coordinator('c', MAX_EPOCH) }).ready()
  expect(b.follows).toBe('nobody')
})

test('a peer obeys its newest leadership and any newer leadership, but no older leadership', () => {
  const { core } = follower()
  expect(core.peer.obeys('c', 5)).toBe(true)
  expect(core.peer.obeys('c', 4)).toBe(false)
  expect(core.peer.obeys('a', 5)).toBe(false)
  expect(core.peer.obeys('d', 5)).toBe(true)
  expect(core.peer.obeys('a', 6)).toBe(true)
})

test('a peer without a leader sends ELECTION to the author of an older claim, and the author then claims a higher epoch', () => {
  const b = follower().dies('c').quietly()
  b.accepts('a', 3)
  expect(b.done()).toEqual(['ELECTION -> a'])
  const a = new Driver('a').ready().live('b').quietly()
  a.hears('b', { type: 'election', accepted: coordinator('c', 5) })
  expect(a.follows).toBe('a @6')
})

test('a leader does not outbid a newer leadership that has followers, even if it does not know the newer leader', () => {
  const c = new Driver('c').live('a').ready().quietly()
  c.hears('a', { type: 'coordinator', coordinator: coordinator('e', 7) })
  c.do({ type: 'gossip', coordinator: coordinator('e', 7) })
  expect(c.done()).toEqual([])
  expect(c.follows).toBe('c @1')
})

test('a leader whose timer fires far too late follows a newer leader immediately', () => {
  const wakes = (late: number): string => {
    const c = new Driver('c').live('a', 'b').ready()
    c.now = times.announceInterval + late
    return c.accepts('b', 2).follows
  }
  expect(wakes(times.awayAfter + 1)).toBe('b @2')
  expect(wakes(0)).toBe('c @1')
})

test('a joiner whose membership does not know its leader yet sends no ELECTION', () => {
  const b = new Driver('b').live('a').do({ type: 'pushPull', from: 'a', coordinator: coordinator('c', 5) })
  expect(b.accepts('a', 3).done()).toEqual([])
})

test('under a quorum a peer follows only voters, whether the peer learns of a leader by push-pull, COORDINATOR or gossip', () => {
  const a = new Driver('a', {}, 0, ['a', 'b', 'c']).live('b', 'x')
  a.do({ type: 'pushPull', from: 'b', coordinator: coordinator('x', 5) }).ready()
  a.hears('x', { type: 'coordinator', coordinator: coordinator('x', 6) })
  a.do({ type: 'gossip', coordinator: coordinator('stranger', 7) })
  expect(a.follows).toBe('nobody')
  expect(a.accepts('b', 1).follows).toBe('b @1')
})

test('under a quorum a leader that accepts a newer leadership releases its lease, and can later seek a new lease', () => {
  const c = new Driver('c', {}, 0, ['a', 'b', 'c']).live('a', 'b').ready()
  c.do({ type: 'held', epoch: 3 })
  expect(c.quietly().follows).toBe('c @3')
  // b claims the leadership, but is dead for c.
  c.dies('b').accepts('b', 5)
  expect(c.done()).toEqual(['release the lease', 'COORDINATOR b @5 -> b', 'seek an epoch above 5', 'follow nobody'])
})
