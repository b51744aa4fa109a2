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

test('an election lasts from when there is no leader until another leadership is accepted', () => {
  const meter = new LeadershipMeter()
  meter.ready(false, 1_000)
  meter.changed(leadership(1), 1_040)
  meter.changed(undefined, 5_000)
  meter.changed(leadership(2), 65_000)
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
  meter.changed(leadership(1), 2_500)
  expect(elections(meter)).toEqual([])
  meter.changed(undefined, 3_000)
  meter.changed(leadership(2), 3_015)
  expect(elections(meter)).toEqual([20])
})

test('a leadership that moves while its leader lives is measured from when that began, unless it comes to nothing', () => {
  const meter = new LeadershipMeter()
  meter.changed(leadership(1), 0)
  meter.ready(true, 0)
  meter.moving(true, 1_000)
  meter.moving(false, 1_500)
  meter.moving(true, 2_000)
  meter.moving(true, 2_100)
  // The old leader has stopped, and awaits the next one's word.
  meter.changed(undefined, 2_150)
  meter.moving(false, 2_150)
  meter.changed(leadership(2), 2_180)
  expect(elections(meter)).toEqual([200])
  expect(meter.durations().sum).toBe(180)
  expect(meter.stats(3_000).leaderless).toBe(30)
})
