import { expect, test } from 'vitest'
import { MAX_EPOCH_STEP, MAX_OUTBID_STEP } from '../../../src/election/core/messages.ts'
import { coordinator, Driver, goAhead, times } from './core.ts'

/** Returns c, which leads a and b with epoch 1. */
function leader(): Driver {
  return new Driver('c').live('a', 'b').ready().quietly()
}

test('the highest-ranked peer requests the leadership of a live leader after `stableFor`', () => {
  const d = new Driver('d').live('a', 'c').ready().hears('c', { type: 'answer', answer: 'declined' })
  expect(d.follows).toBe('d @1')
  const e = new Driver('e')
    .live('a', 'c', 'd')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
  expect(e.done()).toEqual(['follow c @3'])
  expect(e.timers.get('takeover')).toBe(times.stableFor)
  expect(e.wait('takeover').done()).toEqual(['REQUEST -> c'])
  // The link to c may be broken, so the request also goes through another member.
  expect(e.wait('takeover').done()).toEqual(['REQUEST -> c', 'relayed to c: request -> a'])
  expect(e.wait('takeover').done()).toEqual(['REQUEST -> c', 'relayed to c: request -> d'])
})

test('a peer with a margin requests the leadership only with that lead in priority, whichever PeerId is higher', () => {
  const e = new Driver('e', { priority: 104 })
    .do({ type: 'margin', margin: 5 })
    .member('c', { priority: 100 })
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
  expect(e.timers.has('takeover')).toBe(false)
  expect(e.member('e', { priority: 105 }).timers.has('takeover')).toBe(true)
  expect(e.do({ type: 'margin', margin: 6 }).timers.has('takeover')).toBe(false)
  expect(e.do({ type: 'margin', margin: undefined }).timers.has('takeover')).toBe(true)
})

test('a leader whose priority falls hands over when the next peer asks, and keeps its epoch until then', () => {
  const c = leader().live('d').member('d', { priority: -1 }).quietly()
  expect(c.member('c', { priority: -2 }).done()).toEqual([])
  expect(c.follows).toBe('c @1')
  expect(c.hears('d', { type: 'request' }).done()).toEqual(['hand off to d'])
})

test('a peer does not request the leadership while it knows a higher-ranked peer that can request it', () => {
  const d = new Driver('d')
    .live('c')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
  d.live('e')
  expect(d.timers.has('takeover')).toBe(false)
  expect(d.dies('e').timers.has('takeover')).toBe(true)
})

test('a leader first hands off, and then gives the go-ahead and stops leading', () => {
  const c = leader().live('d').quietly()
  expect(c.hears('d', { type: 'request' }).done()).toEqual(['hand off to d'])
  expect(c.follows).toBe('c @1')
  c.do({ type: 'handedOff', to: 'd', ok: true })
  expect(c.done()).toEqual(['GO_AHEAD @1 -> d', 'follow nobody'])
  c.accepts('d', 2, goAhead('c', 1, 'd'))
  expect(c.done()).toEqual(['follow d @2'])
})

test('a leader ignores requests of lower-ranked peers, workers and strangers', () => {
  const c = leader().member('w', { electable: false }).quietly()
  for (const from of ['a', 'w', 'z']) c.hears(from, { type: 'request' })
  expect(c.done()).toEqual([])
})

test('a repeated request starts no second hand-off, and a request after the go-ahead makes the old leader repeat the go-ahead', () => {
  const c = leader().live('d').hears('d', { type: 'request' }).quietly()
  expect(c.hears('d', { type: 'request' }).done()).toEqual([])
  c.do({ type: 'handedOff', to: 'd', ok: true }).quietly()
  expect(c.hears('d', { type: 'request' }).done()).toEqual(['GO_AHEAD @1 -> d'])
})

test('the receiver of a go-ahead immediately claims an epoch above the ended epoch, and attaches the go-ahead to its COORDINATOR', () => {
  const d = new Driver('d')
    .live('c')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
    .quietly()
  d.hears('c', { type: 'goAhead', goAhead: goAhead('c', 3, 'd') })
  expect(d.done()).toEqual(['COORDINATOR d @4 by c @3 -> c', 'COORDINATOR d @4 by c @3 -> all', 'follow d @4'])
})

test('a go-ahead counts only the first time, only for the peer that it names, and only when its author sends it', () => {
  const follower = (): Driver =>
    new Driver('d')
      .live('b', 'c')
      .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
      .ready()
  expect(follower().hears('b', { type: 'goAhead', goAhead: goAhead('c', 3, 'd') }).follows).toBe('c @3')
  expect(follower().hears('c', { type: 'goAhead', goAhead: goAhead('c', 3, 'b') }).follows).toBe('c @3')
  expect(follower().hears('c', { type: 'goAhead', goAhead: goAhead('c', 2, 'd') }).follows).toBe('c @3')
  const d = follower().hears('c', { type: 'goAhead', goAhead: goAhead('c', 3, 'd') })
  expect(d.hears('c', { type: 'goAhead', goAhead: goAhead('c', 3, 'd') }).follows).toBe('d @4')
})

test('a follower declines a go-ahead from a peer other than its live leader', () => {
  const d = new Driver('d')
    .live('b', 'c')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
    .quietly()
  d.hears('b', { type: 'goAhead', goAhead: goAhead('b', 5, 'd') })
  expect(d.done()).toEqual(['declined -> b'])
})

test('a leader whose hand-off fails keeps leading, and ignores requests for some time', () => {
  const c = leader().live('d').hears('d', { type: 'request' }).do({ type: 'handedOff', to: 'd', ok: false }).quietly()
  expect(c.follows).toBe('c @1')
  expect(c.hears('d', { type: 'request' }).done()).toEqual([])
  c.now = times.handOffTimeout
  expect(c.hears('d', { type: 'request' }).done()).toEqual(['hand off to d'])
})

test('a leader cancels a hand-off that hangs, and ignores the late result of this hand-off', () => {
  const c = leader().live('d').hears('d', { type: 'request' }).quietly()
  expect(c.wait('handOff').done()).toEqual(['cancel the hand-off'])
  expect(c.do({ type: 'handedOff', to: 'd', ok: true }).done()).toEqual([])
  expect(c.follows).toBe('c @1')
})

test('a leader cancels a hand-off immediately when the heir dies', () => {
  const c = leader().live('d').hears('d', { type: 'request' }).quietly().dies('d')
  expect(c.done()).toEqual(['cancel the hand-off'])
  expect(c.follows).toBe('c @1')
})

test('the old leader runs an election when no COORDINATOR follows its go-ahead', () => {
  const c = leader().live('d').hears('d', { type: 'request' }).do({ type: 'handedOff', to: 'd', ok: true }).quietly()
  expect(c.wait('succession').done()).toEqual(['ELECTION -> d'])
  c.hears('d', { type: 'answer', answer: 'declined' })
  expect(c.follows, 'with a new epoch').toBe('c @2')
})

test('the old leader claims again with a new epoch when its heir declines or dies', () => {
  const yielded = (): Driver =>
    leader().live('d').hears('d', { type: 'request' }).do({ type: 'handedOff', to: 'd', ok: true })
  expect(yielded().hears('d', { type: 'answer', answer: 'declined' }).follows).toBe('c @2')
  expect(yielded().dies('d').follows).toBe('c @2')
})

test('a leader that leaves hands off to the highest-ranked other peer, gives the go-ahead and leaves', () => {
  const c = leader().do({ type: 'leave' })
  expect(c.done()).toEqual(['hand off to b'])
  c.do({ type: 'handedOff', to: 'b', ok: true })
  expect(c.done()).toEqual(['GO_AHEAD @1 -> b', 'left', 'follow nobody'])
})

test('a leader that leaves hands off to the next peer if the heir dies, and leaves even if the hand-off fails', () => {
  const failed = leader().do({ type: 'leave' }).do({ type: 'handedOff', to: 'b', ok: false })
  expect(failed.done()).toContain('left')
  const died = leader().do({ type: 'leave' }).quietly().dies('b')
  expect(died.done()).toEqual(['cancel the hand-off', 'hand off to a'])
})

test('a follower, or a leader that is alone, leaves without a hand-off', () => {
  expect(new Driver('c').ready().quietly().do({ type: 'leave' }).done()).toEqual(['left', 'follow nobody'])
  expect(new Driver('b').live('c').ready().accepts('c', 1).quietly().do({ type: 'leave' }).done()).toEqual(['left'])
})

test('a leaving peer declines ELECTION and go-aheads, and never claims again', () => {
  const d = new Driver('d')
    .live('c')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
    .do({ type: 'leave' })
    .quietly()
  d.hears('c', { type: 'goAhead', goAhead: goAhead('c', 3, 'd') })
  d.hears('a', { type: 'election', accepted: undefined })
  expect(d.dies('c').done()).toEqual(['declined -> c', 'declined -> a', 'follow nobody'])
})

test('a leader requests the leadership of a lower-ranked rival, and then claims an epoch above the epochs of both leaders', () => {
  const e = new Driver('e').live('a').ready().live('c').quietly()
  expect(e.accepts('c', 7).done()).toEqual(['REQUEST -> c'])
  expect(e.wait('rivals').done(), 'repeated until it answers').toEqual(['REQUEST -> c', 'relayed to c: request -> a'])
  e.hears('c', { type: 'goAhead', goAhead: goAhead('c', 7, 'e') })
  expect(e.done()).toContain('COORDINATOR e @8 by c @7 -> all')
})

// The durable world with seed 705429: those that had followed the rival refused what this leader wrote.
test('a leader outbids a rival that is gone, if the leadership of the rival is newer than its own', () => {
  const dies = (epoch: number): string[] =>
    new Driver('e').live('a').ready().live('c').accepts('c', epoch).quietly().dies('c').done()
  expect(dies(7)).toContain('COORDINATOR e @8 -> all')
  expect(dies(1)).toEqual([])
})

test('a leader sends its COORDINATOR to a higher-ranked rival, and hands off when the rival requests the leadership', () => {
  const c = leader().live('e').quietly()
  expect(c.accepts('e', 1).done()).toEqual(['COORDINATOR c @1 -> e'])
  expect(c.hears('e', { type: 'request' }).done()).toEqual(['hand off to e'])
})

test('a leader gives its go-ahead to a higher-ranked rival even if the hand-off fails', () => {
  const c = leader().live('e').accepts('e', 1).hears('e', { type: 'request' }).quietly()
  c.do({ type: 'handedOff', to: 'e', ok: false })
  expect(c.done()).toEqual(['GO_AHEAD @1 -> e', 'follow nobody'])
})

test('a leader stops its requests to a rival that follows a leader', () => {
  const e = new Driver('e').live('a', 'c').ready().accepts('c', 7).quietly()
  e.hears('c', { type: 'coordinator', coordinator: coordinator('e', 1) })
  expect(e.wait('rivals').done()).toEqual([])
  expect(e.timers.has('rivals')).toBe(false)
})

test('a leader attaches to each new COORDINATOR all go-aheads that it has received while leading', () => {
  const e = new Driver('e').live('a', 'b', 'c').ready().accepts('b', 4).accepts('c', 7)
  e.hears('b', { type: 'goAhead', goAhead: goAhead('b', 4, 'e') }).quietly()
  e.hears('c', { type: 'goAhead', goAhead: goAhead('c', 7, 'e') })
  expect(e.done()).toContain('COORDINATOR e @8 by c @7 by b @4 -> all')
})

test('a leader that leads again after a hand-off sends a new request to its rival', () => {
  const e = new Driver('e').live('a', 'c', 'f').dies('f').ready().accepts('c', 7).live('f')
  e.hears('f', { type: 'request' }).do({ type: 'handedOff', to: 'f', ok: true }).dies('f').quietly()
  expect(e.follows).toBe('e @2')
  expect(e.accepts('c', 7).done()).toEqual(['REQUEST -> c'])
})

test('a new leader does not treat a late COORDINATOR of its predecessor as a rival', () => {
  const d = new Driver('d')
    .live('c')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
  d.hears('c', { type: 'goAhead', goAhead: goAhead('c', 3, 'd') }).quietly()
  expect(d.do({ type: 'gossip', coordinator: coordinator('c', 3) }).done()).toEqual([])
})

test('a leader whose heir did not claim ignores requests for some time', () => {
  const c = leader().live('d').hears('d', { type: 'request' }).do({ type: 'handedOff', to: 'd', ok: true })
  c.wait('succession')
  for (let round = 0; round < 3; round++) c.hears('d', { type: 'answer', answer: 'claiming' })
  expect(c.follows).toBe('c @2')
  expect(c.quietly().hears('d', { type: 'request' }).done()).toEqual([])
  c.now += times.handOffTimeout
  expect(c.hears('d', { type: 'request' }).done()).toEqual(['hand off to d'])
})

test('a leader does not outbid an epoch more than MAX_OUTBID_STEP above its own epoch, so that every peer can accept its next claim', () => {
  const near = 1 + MAX_OUTBID_STEP
  const given = (from: string, epoch: number): Driver =>
    leader().hears(from, { type: 'goAhead', goAhead: goAhead(from, epoch, 'c') })
  expect(given('a', near).follows).toBe(`c @${near + 1}`)
  expect(near + 1).toBeLessThan(1 + MAX_EPOCH_STEP)
  expect(given('a', near + 1).follows).toBe('c @1')
  const asked = (epoch: number): Driver => leader().hears('a', { type: 'election', accepted: coordinator('x', epoch) })
  expect(asked(near).follows).toBe(`c @${near + 1}`)
  expect(asked(near + 1).follows).toBe('c @1')
})

test('a leader does not outbid an epoch that a worker claims', () => {
  const c = leader().member('w', { electable: false }).quietly()
  expect(c.hears('w', { type: 'goAhead', goAhead: goAhead('w', 5, 'c') }).follows).toBe('c @1')
  expect(c.hears('w', { type: 'election', accepted: coordinator('w', 5) }).follows).toBe('c @1')
})

test('a leadership is moving from a request until the next leader claims or the old leader stays', () => {
  const e = new Driver('e')
    .live('c')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
  expect(e.core.isMoving).toBe(false)
  e.wait('takeover')
  expect(e.core.isMoving).toBe(true)
  e.hears('c', { type: 'goAhead', goAhead: goAhead('c', 3, 'e') })
  expect([e.follows, e.core.isMoving]).toEqual(['e @4', false])

  const c = leader().live('d')
  expect(c.core.isMoving).toBe(false)
  c.hears('d', { type: 'request' })
  expect(c.core.isMoving).toBe(true)
  c.do({ type: 'handedOff', to: 'd', ok: false })
  expect([c.follows, c.core.isMoving]).toEqual(['c @1', false])
})

test('a leadership is also moving while its leader requests the leadership of a lower-ranked rival', () => {
  const e = new Driver('e').live('a', 'c').ready().accepts('c', 4)
  expect([e.follows, e.core.isMoving]).toEqual(['e @1', true])
  e.hears('c', { type: 'goAhead', goAhead: goAhead('c', 4, 'e') })
  expect([e.follows, e.core.isMoving]).toEqual(['e @5', false])
})
