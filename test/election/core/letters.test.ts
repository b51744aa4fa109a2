import { expect, test } from 'vitest'
import type { Letter } from '../../../src/election/core/messages.ts'
import { coordinator, Driver } from './core.ts'

const letter = (change: Partial<Letter>): Letter => ({
  from: 'b',
  to: 'c',
  nonce: 1,
  word: 'election',
  accepted: undefined,
  signed: new Uint8Array(),
  ...change
})

/** `b` sees no leader; `c` ranks higher, is live for the membership, and answers nothing. */
const waiting = (): Driver => new Driver('b').live('a', 'c').ready().wait('coordinator').wait('coordinator').quietly()

test('a higher peer that does not answer directly is asked through others, each time through another one', () => {
  const b = new Driver('b').live('a', 'c', 'd0').ready().quietly()
  // Of two that rank higher each is asked, with the help of all others.
  expect(b.wait('coordinator').done()).toEqual(['ELECTION -> c', 'ELECTION -> d0'])
  expect(b.wait('coordinator').done()).toEqual([
    'ELECTION -> c',
    'letter to c: election -> a',
    'ELECTION -> d0',
    'letter to d0: election -> a'
  ])
  expect(b.wait('coordinator').done()).toEqual([
    'ELECTION -> c',
    'letter to c: election -> d0',
    'ELECTION -> d0',
    'letter to d0: election -> c'
  ])
})

test('a letter is carried to whom it is for, once, and only for its author', () => {
  const a = new Driver('a').live('b', 'c').ready().quietly()
  expect(a.hears('b', { type: 'letter', letter: letter({}) }).done()).toEqual(['letter to c: election -> c'])
  expect(a.hears('c', { type: 'letter', letter: letter({}) }).done(), 'it is not the author').toEqual([])
  expect(a.hears('b', { type: 'letter', letter: letter({ to: 'nobody' }) }).done()).toEqual([])
})

test('a question that came in a letter is answered in one, by the same bearer', () => {
  const leader = new Driver('c').live('a', 'b').ready().quietly()
  const question = { type: 'letter', letter: letter({ nonce: 7 }) } as const
  expect(leader.hears('a', question).take()).toMatchObject([
    {
      type: 'send',
      to: 'a',
      message: { letter: { to: 'b', nonce: 7, word: 'coordinator', accepted: { leader: 'c' } } }
    }
  ])
  const notReady = new Driver('c').live('a', 'b').quietly()
  expect(notReady.hears('a', question).done()).toEqual(['letter to b: declined -> a'])
  expect(notReady.hears('a', { type: 'letter', letter: letter({ from: 'stranger' }) }).done()).toEqual([])
})

test('who learns in a letter that the higher peer declines, claims', () => {
  const b = waiting().hears('a', { type: 'letter', letter: letter({ from: 'c', to: 'b', word: 'declined' }) })
  expect(b.follows).toBe('b @1')
})

test('who learns in a letter whom the higher peer follows, follows it', () => {
  const answer = letter({ from: 'c', to: 'b', word: 'coordinator', accepted: coordinator('c', 4) })
  expect(waiting().hears('a', { type: 'letter', letter: answer }).follows).toBe('c @4')
})

test('an answer in a letter counts once, and only to the last question', () => {
  const claiming = (nonce: number) => {
    return { type: 'letter', letter: letter({ from: 'c', to: 'b', nonce, word: 'claiming' }) } as const
  }
  const b = waiting()
  for (let i = 0; i < 5; i++) b.hears('a', claiming(1)).hears('a', claiming(2))
  expect(b.follows, 'three answers count as declined').toBe('nobody')
  expect(
    waiting().hears('a', { type: 'letter', letter: letter({ from: 'c', to: 'b', nonce: 2, word: 'declined' }) }).follows
  ).toBe('nobody')
})

test('a leader that cannot be reached hears of its rival, and whoever follows it that it has stopped, through others', () => {
  const a = new Driver('a').live('b', 'c', 'd').ready().accepts('c', 3).quietly()
  expect(a.do({ type: 'gossip', coordinator: coordinator('d', 4) }).done()).toEqual(['RIVAL COORDINATOR d @4 -> c'])
  expect(a.wait('rivals').done()).toEqual(['RIVAL COORDINATOR d @4 -> c', 'letter to c: rival -> b'])
  const rival = { from: 'a', to: 'c', nonce: 7, word: 'rival', accepted: coordinator('d', 4) } as const
  const c = new Driver('c').live('a', 'b', 'd').ready().accepts('d', 4).quietly()
  expect(c.hears('b', { type: 'letter', letter: letter(rival) }).done()).toEqual(['letter to a: coordinator -> b'])
  const answer = letter({ from: 'c', to: 'a', nonce: 7, word: 'coordinator', accepted: coordinator('d', 4) })
  expect(a.hears('b', { type: 'letter', letter: { ...answer, from: 'b' } }).follows, 'only its leader can say').toBe(
    'c @3'
  )
  expect(a.hears('b', { type: 'letter', letter: answer }).follows).toBe('d @4')
})
