import { expect, test } from 'vitest'
import { LeadershipMeter } from '../../src/election/leadership-stats.ts'

test('leaderships are counted, and the time without one, since this peer was ready', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 1_000)
  expect(meter.stats(1_100)).toEqual({ changes: 0, leaderless: 100 })
  meter.changed(true, 1_200)
  meter.changed(false, 5_000)
  meter.changed(false, 5_010)
  expect(meter.stats(5_050)).toEqual({ changes: 1, leaderless: 250 })
  meter.changed(true, 5_100)
  meter.changed(true, 6_000)
  expect(meter.stats(9_000)).toEqual({ changes: 3, leaderless: 300 })
})

test('before a peer is ready it cannot know of a leader; of one that it knows of then, nothing was missed', () => {
  const meter = new LeadershipMeter()
  expect(meter.stats(900)).toEqual({ changes: 0, leaderless: 0 })
  meter.changed(true, 950)
  meter.ready(true, 1_000)
  expect(meter.stats(2_000)).toEqual({ changes: 1, leaderless: 0 })
})

test('a lease that ended while the machine slept has been missed since it ended', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 0)
  meter.changed(true, 0)
  meter.changed(false, 10_000, 8_000)
  meter.changed(true, 10_500)
  expect(meter.stats(20_000)).toEqual({ changes: 1 + 1, leaderless: 8_500 })
})
