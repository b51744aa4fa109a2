import { describe, expect, it } from 'vitest'
import { ElectionClock } from '../../src/election/election-clock.ts'

describe('an election', () => {
  it('lasts from when there was no leader until one is accepted', () => {
    const clock = new ElectionClock()
    clock.lost(1_000, 'died')
    // Membership may say the same more than once.
    clock.lost(1_100, 'replaced')
    expect(clock.accepted(1_250, false, 'replaced')).toEqual({ ms: 250, reason: 'died' })
    expect(clock.accepted(2_000, false, 'replaced')).toBeUndefined()
  })

  it('lasts from the first request for who takes over, and is none for who only hears of it', () => {
    const [taker, follower] = [new ElectionClock(), new ElectionClock()]
    taker.asks(100)
    taker.asks(600)
    expect(taker.accepted(700, true, 'handed over')).toEqual({ ms: 600, reason: 'outranked the leader' })
    expect(follower.accepted(710, false, 'handed over')).toBeUndefined()
  })

  it('is none for who asked, and was forestalled', () => {
    const clock = new ElectionClock()
    clock.asks(100)
    expect(clock.accepted(700, false, 'handed over')).toBeUndefined()
  })

  it('lasts for as long as handing over does, unless the leader stays', () => {
    const clock = new ElectionClock()
    clock.handsOver(100)
    clock.stays()
    clock.handsOver(500)
    clock.lost(530, 'handed over')
    expect(clock.accepted(560, false, 'handed over')).toEqual({ ms: 60, reason: 'handed over' })
  })

  it('goes on where the leader has stopped and the next one has not begun, and no leadership moves meanwhile', () => {
    const clock = new ElectionClock()
    clock.handsOver(500)
    clock.lost(530, 'handed over')
    clock.stays()
    expect(clock.accepted(560, false, 'handed over')).toEqual({ ms: 60, reason: 'handed over' })
  })

  it('is not one that was asked for long ago, in vain', () => {
    const clock = new ElectionClock()
    clock.asks(100)
    clock.stays()
    clock.lost(60_000, 'died')
    expect(clock.accepted(60_010, true, 'died')).toEqual({ ms: 10, reason: 'died' })
  })

  it('takes no time where the highest is left, and is one all the same', () => {
    expect(new ElectionClock().accepted(5, true, 'died')).toEqual({ ms: 0, reason: 'died' })
  })
})
