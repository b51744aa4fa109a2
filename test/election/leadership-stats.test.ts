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
  meter.changed(undefined, 10_000, { lostAgo: 8_000 })
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

test('after a peer has left, nothing of it grows any more', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 0)
  meter.changed(leadership(1), 100)
  meter.changed(undefined, 1_000)
  meter.stopped(1_020)
  expect(meter.stats(60_000)).toEqual({ changes: 1, leaderless: 120 })
})

/** The durations of the elections, each as the bound that it does not exceed. */
function elections(meter: LeadershipMeter): number[] {
  const { bounds, counts } = meter.durations()
  return counts.flatMap((count, bucket) => new Array<number>(count).fill(bounds[bucket] ?? Number.POSITIVE_INFINITY))
}

test('each leadership but the one found at the start counts as an election, for as long as this peer took part in it', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 1_000)
  meter.changed(leadership(1), 1_040, { took: 40 })
  meter.changed(undefined, 5_000)
  meter.changed(leadership(2), 65_000, { took: 60_000 })
  expect(elections(meter)).toEqual([50, Number.POSITIVE_INFINITY])
  expect(meter.durations().sum).toBe(40 + 60_000)
})

test('where one leadership follows upon the other at once, the election took no time', () => {
  const meter = new LeadershipMeter()
  meter.changed(leadership(1), 950)
  meter.ready(true, 1_000)
  meter.changed(leadership(2), 5_000)
  expect(elections(meter)).toEqual([10])
  expect(meter.durations().sum).toBe(0)
})

test('a leader that is found at the start, and one that is seen again after it was falsely held dead, were not elected', () => {
  const meter = new LeadershipMeter()
  meter.changed(leadership(1), 950)
  meter.ready(true, 1_000)
  meter.changed(undefined, 2_000)
  meter.changed(leadership(1), 2_500, { took: 500 })
  expect(elections(meter)).toEqual([])
  meter.changed(undefined, 3_000)
  meter.changed(leadership(2), 3_015, { took: 15 })
  expect(elections(meter)).toEqual([20])
})
