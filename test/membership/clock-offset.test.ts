import { expect, test } from 'vitest'
import { Bench } from './bench.ts'

/** The wall clock of this peer at time 0 of its core. */
const START = 1_795_000_000_000
/** How long an answer takes, in ms. */
const ROUND_TRIP = 40

/** Lets a member answer the probe of each period, with the clocks of the members, which are `ahead` of the true time. */
function bench(ahead: Record<string, number>): { bench: Bench; periods(count: number): void } {
  const made: Bench = new Bench(Object.keys(ahead), { wall: () => START + made.now })
  return {
    bench: made,
    periods(count) {
      for (let round = 0; round < count; round++) {
        made.clear()
        while (made.sent('ping').length === 0) made.pass(1)
        const ping = made.effects.find(effect => effect.type === 'send' && effect.message.type === 'ping')
        if (ping?.type !== 'send' || ping.message.type !== 'ping') throw new Error('nobody was pinged')
        const offset = ahead[ping.to]!
        made.pass(ROUND_TRIP / 2)
        const wall = START + made.now + offset
        made.pass(ROUND_TRIP / 2)
        made.message(ping.to, { type: 'ack', seq: ping.message.seq, wall })
      }
    }
  }
}

test('a peer measures its clock against the median of the members, itself included', () => {
  const { bench: me, periods } = bench({ a: 7_000, b: 7_400 })
  periods(6)
  expect(me.swim.clockOffset(START + me.now, me.now)).toBeCloseTo(-7_000, -2)
})

test('one wrong clock does not move the median', () => {
  const { bench: me, periods } = bench({ a: 100, b: 3_600_000 })
  periods(6)
  expect(Math.abs(me.swim.clockOffset(START + me.now, me.now)!)).toBeLessThanOrEqual(150)
})

test('a step of its own clock shows at once', () => {
  const { bench: me, periods } = bench({ a: 0, b: 0 })
  periods(6)
  expect(me.swim.clockOffset(START + me.now + 9_000, me.now)).toBeCloseTo(9_000, -2)
})

test('a peer that has measured no other member knows no offset', () => {
  const { bench: me } = bench({ a: 0 })
  expect(me.swim.clockOffset(START + me.now, me.now)).toBeUndefined()
  expect(new Bench().swim.clockOffset(START, 0)).toBeUndefined()
})

test('a peer that is pinged answers with its wall clock', () => {
  const { bench: me } = bench({ a: 0 })
  me.message('a', { type: 'ping', seq: 1, accusations: [] })
  expect(me.sent('ack', 'a')).toEqual([{ type: 'ack', seq: 1, wall: START + me.now }])
})

test('the clock of a member that is dead does not count', () => {
  const { bench: me, periods } = bench({ a: 7_000 })
  periods(2)
  expect(me.swim.clockOffset(START + me.now, me.now)).toBeCloseTo(-3_500, -2)
  me.give({ type: 'refused', peer: 'a' })
  expect(me.state('a')).toBe('dead')
  expect(me.swim.clockOffset(START + me.now, me.now)).toBeUndefined()
})
