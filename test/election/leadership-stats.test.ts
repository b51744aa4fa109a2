import { expect, test } from 'vitest'
import { LeadershipMeter } from '../../src/election/leadership-stats.ts'
import type { Leadership } from '../../src/election/types.ts'

const leadership = (epoch: number): Leadership => ({ id: 'a', epoch, rank: { id: 'a', priority: 0 } })

test('leaderships are counted, and the time without one, since this peer was ready', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 1_000)
  expect(meter.stats(1_100)).toEqual({ changes: 0, leaderless: 100 })
  meter.changed(leadership(1), 1_200)
  meter.changed(undefined, 5_000)
  meter.changed(undefined, 5_010)
  expect(meter.stats(5_050)).toEqual({ changes: 1, leaderless: 250 })
  meter.changed(leadership(2), 5_100)
  meter.changed(leadership(3), 6_000)
  expect(meter.stats(9_000)).toEqual({ changes: 3, leaderless: 300 })
})

test('before a peer is ready it cannot know of a leader; of one that it knows of then, nothing was missed', () => {
  const meter = new LeadershipMeter()
  expect(meter.stats(900)).toEqual({ changes: 0, leaderless: 0 })
  meter.changed(leadership(4), 950)
  meter.ready(true, 1_000)
  expect(meter.stats(2_000)).toEqual({ changes: 1, leaderless: 0 })
})

test('a lease that ended while the machine slept has been missed since it ended', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 0)
  meter.changed(leadership(5), 0)
  meter.changed(undefined, 10_000, 8_000)
  meter.changed(leadership(6), 10_500)
  expect(meter.stats(20_000)).toEqual({ changes: 1 + 1, leaderless: 8_500 })
})

test('a leadership that was falsely taken for over is no other one when it is seen again', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 0)
  meter.changed(leadership(1), 100)
  meter.changed(undefined, 1_000)
  meter.changed(leadership(1), 1_500)
  expect(meter.stats(2_000)).toEqual({ changes: 1, leaderless: 600 })
})
