import { expect, test } from 'vitest'
import type { RelayedMessage } from '../../../src/election/core/messages.ts'
import { coordinator, Driver } from './core.ts'

const relayed = (change: Partial<RelayedMessage>): RelayedMessage => ({
  from: 'b',
  to: 'c',
  nonce: 1,
  kind: 'election',
  accepted: undefined,
  signed: new Uint8Array(),
  ...change
})

/** Returns `b`, which has no leader. `c` ranks above `b` and is live for the membership of `b`, but does not answer. */
const waiting = (): Driver => new Driver('b').live('a', 'c').ready().wait('coordinator').wait('coordinator').quietly()

test('a candidate asks a silent higher-ranked peer through other members, each time through a different member', () => {
  const b = new Driver('b').live('a', 'c', 'd0').ready().quietly()
  // c and d0 both rank above b. b asks c and d0 directly, and later also through other members.
  expect(b.wait('coordinator').done()).toEqual(['ELECTION -> c', 'ELECTION -> d0'])
  expect(b.wait('coordinator').done()).toEqual([
    'ELECTION -> c',
    'relayed to c: election -> a',
    'ELECTION -> d0',
    'relayed to d0: election -> a'
  ])
  expect(b.wait('coordinator').done()).toEqual([
    'ELECTION -> c',
    'relayed to c: election -> d0',
    'ELECTION -> d0',
    'relayed to d0: election -> c'
  ])
})

test('a member relays a message to its addressee only once, and only if the author sent the message', () => {
  const a = new Driver('a').live('b', 'c').ready().quietly()
  expect(a.hears('b', { type: 'relayed', relayed: relayed({}) }).done()).toEqual(['relayed to c: election -> c'])
  expect(a.hears('c', { type: 'relayed', relayed: relayed({}) }).done(), 'it is not the author').toEqual([])
  expect(a.hears('b', { type: 'relayed', relayed: relayed({ to: 'nobody' }) }).done()).toEqual([])
})

test('a peer answers a relayed question through the member that relayed it', () => {
  const leader = new Driver('c').live('a', 'b').ready().quietly()
  const question = { type: 'relayed', relayed: relayed({ nonce: 7 }) } as const
  expect(leader.hears('a', question).take()).toMatchObject([
    {
      type: 'send',
      to: 'a',
      message: { relayed: { to: 'b', nonce: 7, kind: 'coordinator', accepted: { leader: 'c' } } }
    }
  ])
  const notReady = new Driver('c').live('a', 'b').quietly()
  expect(notReady.hears('a', question).done()).toEqual(['relayed to b: declined -> a'])
  expect(notReady.hears('a', { type: 'relayed', relayed: relayed({ from: 'stranger' }) }).done()).toEqual([])
})

test('a candidate claims after a relayed answer in which the higher-ranked peer declines', () => {
  const b = waiting().hears('a', { type: 'relayed', relayed: relayed({ from: 'c', to: 'b', kind: 'declined' }) })
  expect(b.follows).toBe('b @1')
})

test('a candidate follows the leader that the relayed answer of a higher-ranked peer names', () => {
  const answer = relayed({ from: 'c', to: 'b', kind: 'coordinator', accepted: coordinator('c', 4) })
  expect(waiting().hears('a', { type: 'relayed', relayed: answer }).follows).toBe('c @4')
})

test('a candidate counts a relayed answer only the first time, and only if it answers the last question', () => {
  const claiming = (nonce: number) => {
    return { type: 'relayed', relayed: relayed({ from: 'c', to: 'b', nonce, kind: 'claiming' }) } as const
  }
  const b = waiting()
  for (let i = 0; i < 5; i++) b.hears('a', claiming(1)).hears('a', claiming(2))
  expect(b.follows, 'three answers count as declined').toBe('nobody')
  expect(
    waiting().hears('a', { type: 'relayed', relayed: relayed({ from: 'c', to: 'b', nonce: 2, kind: 'declined' }) })
      .follows
  ).toBe('nobody')
})

test('a follower whose link to its leader is broken uses other members to report a rival and to learn that the leader has stopped', () => {
  const a = new Driver('a').live('b', 'c', 'd').ready().accepts('c', 3).quietly()
  expect(a.do({ type: 'gossip', coordinator: coordinator('d', 4) }).done()).toEqual(['RIVAL COORDINATOR d @4 -> c'])
  expect(a.wait('rivals').done()).toEqual(['RIVAL COORDINATOR d @4 -> c', 'relayed to c: rival -> b'])
  const rival = { from: 'a', to: 'c', nonce: 7, kind: 'rival', accepted: coordinator('d', 4) } as const
  const c = new Driver('c').live('a', 'b', 'd').ready().accepts('d', 4).quietly()
  expect(c.hears('b', { type: 'relayed', relayed: relayed(rival) }).done()).toEqual(['relayed to a: coordinator -> b'])
  const answer = relayed({ from: 'c', to: 'a', nonce: 7, kind: 'coordinator', accepted: coordinator('d', 4) })
  expect(a.hears('b', { type: 'relayed', relayed: { ...answer, from: 'b' } }).follows, 'only its leader can say').toBe(
    'c @3'
  )
  expect(a.hears('b', { type: 'relayed', relayed: answer }).follows).toBe('d @4')
})
