import { expect, test } from 'vitest'
import { MAX_EPOCH_STEP, MAX_OUTBID_STEP } from '../../../src/election/core/messages.ts'
import { coordinator, Driver, goAhead, times } from './core.ts'

/** c leads @1 over a and b. */
function leader(): Driver {
  return new Driver('c').live('a', 'b').ready().quietly()
}

test('the highest peer that ranks above the live leader requests the leadership once it was stable for a moment', () => {
  const d = new Driver('d').live('a', 'c').ready().hears('c', { type: 'answer', answer: 'declined' })
  expect(d.follows).toBe('d @1')
  const e = new Driver('e')
    .live('a', 'c', 'd')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
  expect(e.done()).toEqual(['follow c @3'])
  expect(e.timers.get('takeover')).toBe(times.stableFor)
  expect(e.wait('takeover').done()).toEqual(['REQUEST -> c'])
  // The link to it may be broken.
  expect(e.wait('takeover').done()).toEqual(['REQUEST -> c', 'relayed to c: request -> a'])
  expect(e.wait('takeover').done()).toEqual(['REQUEST -> c', 'relayed to c: request -> d'])
})

test('who sees a still higher one leaves the request to it', () => {
  const d = new Driver('d')
    .live('c')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
  d.live('e')
  expect(d.timers.has('takeover')).toBe(false)
  expect(d.dies('e').timers.has('takeover')).toBe(true)
})

test('a leader hands off before it gives the go-ahead, and leads no more from there on', () => {
  const c = leader().live('d').quietly()
  expect(c.hears('d', { type: 'request' }).done()).toEqual(['hand off to d'])
  expect(c.follows).toBe('c @1')
  c.do({ type: 'handedOff', to: 'd', ok: true })
  expect(c.done()).toEqual(['GO_AHEAD @1 -> d', 'follow nobody'])
  c.accepts('d', 2, goAhead('c', 1, 'd'))
  expect(c.done()).toEqual(['follow d @2'])
})

test('requests of lower-ranked peers, workers and strangers are not heard', () => {
  const c = leader().member('w', { electable: false }).quietly()
  for (const from of ['a', 'w', 'z']) c.hears(from, { type: 'request' })
  expect(c.done()).toEqual([])
})

test('a repeated request does not hand off twice, and after the go-ahead gets it again', () => {
  const c = leader().live('d').hears('d', { type: 'request' }).quietly()
  expect(c.hears('d', { type: 'request' }).done()).toEqual([])
  c.do({ type: 'handedOff', to: 'd', ok: true }).quietly()
  expect(c.hears('d', { type: 'request' }).done()).toEqual(['GO_AHEAD @1 -> d'])
})

test('the go-ahead makes its receiver claim at once, above the epoch that ended, and show it', () => {
  const d = new Driver('d')
    .live('c')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
    .quietly()
  d.hears('c', { type: 'goAhead', goAhead: goAhead('c', 3, 'd') })
  expect(d.done()).toEqual(['COORDINATOR d @4 by c @3 -> c', 'COORDINATOR d @4 by c @3 -> all', 'follow d @4'])
})

test('a go-ahead is good once, for the peer that it names, and only from the mouth of its author', () => {
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

test('the go-ahead of somebody else than the live leader is declined', () => {
  const d = new Driver('d')
    .live('b', 'c')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
    .quietly()
  d.hears('b', { type: 'goAhead', goAhead: goAhead('b', 5, 'd') })
  expect(d.done()).toEqual(['declined -> b'])
})

test('a hand-off that fails leaves the leader where it is, and it hears no request for a while', () => {
  const c = leader().live('d').hears('d', { type: 'request' }).do({ type: 'handedOff', to: 'd', ok: false }).quietly()
  expect(c.follows).toBe('c @1')
  expect(c.hears('d', { type: 'request' }).done()).toEqual([])
  c.now = times.handOffTimeout
  expect(c.hears('d', { type: 'request' }).done()).toEqual(['hand off to d'])
})

test('a hand-off that hangs is given up, and what it says later does not count', () => {
  const c = leader().live('d').hears('d', { type: 'request' }).quietly()
  expect(c.wait('handOff').done()).toEqual(['cancel the hand-off'])
  expect(c.do({ type: 'handedOff', to: 'd', ok: true }).done()).toEqual([])
  expect(c.follows).toBe('c @1')
})

test('a hand-off to a peer that dies is given up at once', () => {
  const c = leader().live('d').hears('d', { type: 'request' }).quietly().dies('d')
  expect(c.done()).toEqual(['cancel the hand-off'])
  expect(c.follows).toBe('c @1')
})

test('when no COORDINATOR follows the go-ahead, the old leader runs an election', () => {
  const c = leader().live('d').hears('d', { type: 'request' }).do({ type: 'handedOff', to: 'd', ok: true }).quietly()
  expect(c.wait('succession').done()).toEqual(['ELECTION -> d'])
  c.hears('d', { type: 'answer', answer: 'declined' })
  expect(c.follows, 'with a new epoch').toBe('c @2')
})

test('a successor that declines or dies makes the old leader claim again, with a new epoch', () => {
  const yielded = (): Driver =>
    leader().live('d').hears('d', { type: 'request' }).do({ type: 'handedOff', to: 'd', ok: true })
  expect(yielded().hears('d', { type: 'answer', answer: 'declined' }).follows).toBe('c @2')
  expect(yielded().dies('d').follows).toBe('c @2')
})

test('a leaving leader hands off to the highest other peer, gives the go-ahead, and is free to leave', () => {
  const c = leader().do({ type: 'leave' })
  expect(c.done()).toEqual(['hand off to b'])
  c.do({ type: 'handedOff', to: 'b', ok: true })
  expect(c.done()).toEqual(['GO_AHEAD @1 -> b', 'left', 'follow nobody'])
})

test('a leaving leader goes even if the hand-off fails, and turns to the next if its heir dies', () => {
  const failed = leader().do({ type: 'leave' }).do({ type: 'handedOff', to: 'b', ok: false })
  expect(failed.done()).toContain('left')
  const died = leader().do({ type: 'leave' }).quietly().dies('b')
  expect(died.done()).toEqual(['cancel the hand-off', 'hand off to a'])
})

test('a leader with nobody to hand off to, and a follower, leave at once', () => {
  expect(new Driver('c').ready().quietly().do({ type: 'leave' }).done()).toEqual(['left', 'follow nobody'])
  expect(new Driver('b').live('c').ready().accepts('c', 1).quietly().do({ type: 'leave' }).done()).toEqual(['left'])
})

test('a leaving peer declines when it is asked or given the go-ahead, and never claims again', () => {
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

test('a leader requests the hand-off of a lower rival, and leads both with an epoch above both', () => {
  const e = new Driver('e').live('a').ready().live('c').quietly()
  expect(e.accepts('c', 7).done()).toEqual(['REQUEST -> c'])
  expect(e.wait('rivals').done(), 'repeated until it answers').toEqual(['REQUEST -> c', 'relayed to c: request -> a'])
  e.hears('c', { type: 'goAhead', goAhead: goAhead('c', 7, 'e') })
  expect(e.done()).toContain('COORDINATOR e @8 by c @7 -> all')
})

test('a leader shows itself to a higher rival, so that it requests', () => {
  const c = leader().live('e').quietly()
  expect(c.accepts('e', 1).done()).toEqual(['COORDINATOR c @1 -> e'])
  expect(c.hears('e', { type: 'request' }).done()).toEqual(['hand off to e'])
})

test('a rival gives way even if its hand-off fails: one leader matters more', () => {
  const c = leader().live('e').accepts('e', 1).hears('e', { type: 'request' }).quietly()
  c.do({ type: 'handedOff', to: 'e', ok: false })
  expect(c.done()).toEqual(['GO_AHEAD @1 -> e', 'follow nobody'])
})

test('a rival that tells that it follows somebody else is none any more', () => {
  const e = new Driver('e').live('a', 'c').ready().accepts('c', 7).quietly()
  e.hears('c', { type: 'coordinator', coordinator: coordinator('e', 1) })
  expect(e.wait('rivals').done()).toEqual([])
  expect(e.timers.has('rivals')).toBe(false)
})

test('an own COORDINATOR keeps the go-aheads of its reign, for those who missed the first', () => {
  const e = new Driver('e').live('a', 'b', 'c').ready().accepts('b', 4).accepts('c', 7)
  e.hears('b', { type: 'goAhead', goAhead: goAhead('b', 4, 'e') }).quietly()
  e.hears('c', { type: 'goAhead', goAhead: goAhead('c', 7, 'e') })
  expect(e.done()).toContain('COORDINATOR e @8 by c @7 by b @4 -> all')
})

test('a leader that handed over and leads again faces its rivals anew', () => {
  const e = new Driver('e').live('a', 'c', 'f').dies('f').ready().accepts('c', 7).live('f')
  e.hears('f', { type: 'request' }).do({ type: 'handedOff', to: 'f', ok: true }).dies('f').quietly()
  expect(e.follows).toBe('e @2')
  expect(e.accepts('c', 7).done()).toEqual(['REQUEST -> c'])
})

test('a late word of a leader that has handed over to this one makes it no rival', () => {
  const d = new Driver('d')
    .live('c')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
  d.hears('c', { type: 'goAhead', goAhead: goAhead('c', 3, 'd') }).quietly()
  expect(d.do({ type: 'gossip', coordinator: coordinator('c', 3) }).done()).toEqual([])
})

test('a leader whose heir did not claim does not hand over again for a while', () => {
  const c = leader().live('d').hears('d', { type: 'request' }).do({ type: 'handedOff', to: 'd', ok: true })
  c.wait('succession')
  for (let round = 0; round < 3; round++) c.hears('d', { type: 'answer', answer: 'claiming' })
  expect(c.follows).toBe('c @2')
  expect(c.quietly().hears('d', { type: 'request' }).done()).toEqual([])
  c.now += times.handOffTimeout
  expect(c.hears('d', { type: 'request' }).done()).toEqual(['hand off to d'])
})

test('no word of a leadership makes a leader claim an epoch that is out of reach of those who have not heard it', () => {
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

test('a leader does not go above what somebody says who can never have led', () => {
  const c = leader().member('w', { electable: false }).quietly()
  expect(c.hears('w', { type: 'goAhead', goAhead: goAhead('w', 5, 'c') }).follows).toBe('c @1')
  expect(c.hears('w', { type: 'election', accepted: coordinator('w', 5) }).follows).toBe('c @1')
})

test('a leadership moves from when it is asked for, or asked of its leader, until it has another one or stays', () => {
  const e = new Driver('e')
    .live('c')
    .do({ type: 'pushPull', from: 'c', coordinator: coordinator('c', 3) })
    .ready()
  expect(e.bully.isMoving).toBe(false)
  e.wait('takeover')
  expect(e.bully.isMoving).toBe(true)
  e.hears('c', { type: 'goAhead', goAhead: goAhead('c', 3, 'e') })
  expect([e.follows, e.bully.isMoving]).toEqual(['e @4', false])

  const c = leader().live('d')
  expect(c.bully.isMoving).toBe(false)
  c.hears('d', { type: 'request' })
  expect(c.bully.isMoving).toBe(true)
  c.do({ type: 'handedOff', to: 'd', ok: false })
  expect([c.follows, c.bully.isMoving]).toEqual(['c @1', false])
})

test('a leadership moves, too, while its leader asks a lower rival for its own', () => {
  const e = new Driver('e').live('a', 'c').ready().accepts('c', 4)
  expect([e.follows, e.bully.isMoving]).toEqual(['e @1', true])
  e.hears('c', { type: 'goAhead', goAhead: goAhead('c', 4, 'e') })
  expect([e.follows, e.bully.isMoving]).toEqual(['e @5', false])
})
