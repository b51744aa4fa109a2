import { describe, expect, it } from 'vitest'
import { ElectionClock } from '../../src/election/election-clock.ts'

describe('the election clock', () => {
  it('an election lasts from the loss of the leader until this peer accepts the next leader', () => {
    const clock = new ElectionClock()
    clock.lost(1_000, 'died')
    // The election may report the same loss twice.
    clock.lost(1_100, 'replaced')
    expect(clock.accepted(1_250, false, 'replaced')).toEqual({ ms: 250, reason: 'died' })
    expect(clock.accepted(2_000, false, 'replaced')).toBeUndefined()
  })

  it('at the new leader, an election by hand-off lasts from the first request of this leader, and a follower counts no such election', () => {
    const [taker, follower] = [new ElectionClock(), new ElectionClock()]
    taker.asks(100)
    taker.asks(600)
    expect(taker.accepted(700, true, 'handed over')).toEqual({ ms: 600, reason: 'outranked the leader' })
    expect(follower.accepted(710, false, 'handed over')).toBeUndefined()
  })

  it('a peer that has requested the leadership counts no election when another peer becomes the leader', () => {
    const clock = new ElectionClock()
    clock.asks(100)
    expect(clock.accepted(700, false, 'handed over')).toBeUndefined()
  })

  it('at the old leader, an election by hand-off lasts from the beginning of the hand-off that succeeds, not of an earlier hand-off that failed', () => {
    const clock = new ElectionClock()
    clock.handsOver(100)
    clock.stays()
    clock.handsOver(500)
    clock.lost(530, 'handed over')
    expect(clock.accepted(560, false, 'handed over')).toEqual({ ms: 60, reason: 'handed over' })
  })

  it('an election continues between the end of the old leadership and the beginning of the new leadership', () => {
    const clock = new ElectionClock()
    clock.handsOver(500)
    clock.lost(530, 'handed over')
    clock.stays()
    expect(clock.accepted(560, false, 'handed over')).toEqual({ ms: 60, reason: 'handed over' })
  })

  it('an earlier request that failed does not lengthen a later election', () => {
    const clock = new ElectionClock()
    clock.asks(100)
    clock.stays()
    clock.lost(60_000, 'died')
    expect(clock.accepted(60_010, true, 'died')).toEqual({ ms: 10, reason: 'died' })
  })

  it('a peer that claims in the moment in which its leader dies counts an election of 0 ms', () => {
    expect(new ElectionClock().accepted(5, true, 'died')).toEqual({ ms: 0, reason: 'died' })
  })
})
